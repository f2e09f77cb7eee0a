/** Short notices over the page: what was done, with a way back, or what did not work. */
import { signal } from "@preact/signals";
import { CircleAlert, X } from "lucide-preact";
import { useEffect, useRef } from "preact/hooks";
import { announce } from "./announce";
import { Button, IconButton } from "./button";
import { Icon } from "./icon";
import "./toast.css";

interface Toast {
  id: number;
  text: string;
  tone: "neutral" | "bad";
  action?: { label: string; run: () => void } | undefined;
}

interface Options {
  tone?: Toast["tone"];
  action?: Toast["action"];
}

const MOST = 3;
const LASTS_MS = 6_000;

const toasts = signal<Toast[]>([]);
let newest = 0;

export function toast(text: string, { tone = "neutral", action }: Options = {}): void {
  newest += 1;
  toasts.value = [...toasts.value, { id: newest, text, tone, action }].slice(-MOST);
  announce(action ? `${text}. ${action.label} is available.` : text);
}

/** The action of the newest notice, for whoever takes back by keyboard; false: there is none. */
export function takeBack(): boolean {
  const undoable = toasts.value.findLast((each) => each.action);
  if (!undoable) return false;
  dismiss(undoable.id);
  undoable.action?.run();
  return true;
}

export function clearToasts(): void {
  toasts.value = [];
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** Once in the page. A manual popover, so that it is over dialogs as well. */
export function Toasts() {
  const layer = useRef<HTMLElement>(null);
  const shown = toasts.value;
  const some = shown.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that opened since is below a toast that comes now.
  useEffect(() => {
    const element = layer.current;
    if (element?.matches(":popover-open")) element.hidePopover();
    if (some) element?.showPopover();
  }, [some, shown.at(-1)?.id]);
  return (
    <section ref={layer} class="toasts" popover="manual" aria-label="Notices">
      {shown.map((each) => (
        <Notice key={each.id} toast={each} />
      ))}
    </section>
  );
}

function Notice({ toast: { id, text, tone, action } }: { toast: Toast }) {
  const held = useRef(false);
  useEffect(() => {
    let timer = setTimeout(function leave() {
      if (held.current) timer = setTimeout(leave, LASTS_MS);
      else dismiss(id);
    }, LASTS_MS);
    return () => clearTimeout(timer);
  }, [id]);
  const hold = (value: boolean) => () => {
    held.current = value;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it from leaving.
    <div
      class={`toast toast-${tone}`}
      onMouseEnter={hold(true)}
      onMouseLeave={hold(false)}
      onFocusIn={hold(true)}
      onFocusOut={hold(false)}
    >
      {tone === "bad" && <Icon of={CircleAlert} class="toast-icon" />}
      <span class="toast-text">{text}</span>
      {action && (
        <Button
          kind="quiet"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  );
}
