/** Tooltips for everything that has `data-tip`, from one layer; names never depend on them. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Kbd } from "./kbd";
import { place } from "./place";
import "./tooltip.css";

const AFTER_MS = 450;

interface Tip {
  over: HTMLElement;
  text: string;
  keys: string | undefined;
}

/** Once in the page. */
export function Tooltips() {
  const [tip, setTip] = useState<Tip | null>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => watch(setTip), []);
  useEffect(() => {
    const element = layer.current;
    if (!tip || !element) return;
    element.showPopover();
    place(element, tip.over, "below-start");
    return () => element.hidePopover();
  }, [tip]);
  return (
    <div ref={layer} class="tooltip" popover="manual" aria-hidden="true">
      {tip?.text}
      {tip?.keys && <Kbd keys={tip.keys} />}
    </div>
  );
}

/** Shown after a moment's pointing, or at once for the keyboard; gone with any press. */
function watch(show: (tip: Tip | null) => void): () => void {
  let timer = 0;
  const hide = () => {
    window.clearTimeout(timer);
    show(null);
  };
  const enter = (event: PointerEvent) => {
    const over = tipped(event.target);
    hide();
    if (!over || event.pointerType === "touch") return;
    timer = window.setTimeout(() => show(tipOf(over)), AFTER_MS);
  };
  const focus = (event: FocusEvent) => {
    const over = tipped(event.target);
    hide();
    if (over?.matches(":focus-visible")) show(tipOf(over));
  };
  const all: [string, EventListener][] = [
    ["pointerover", enter as EventListener],
    ["focusin", focus as EventListener],
    ["pointerdown", hide],
    ["keydown", hide],
    ["scroll", hide],
  ];
  for (const [name, listener] of all) document.addEventListener(name, listener, true);
  return () => {
    hide();
    for (const [name, listener] of all) document.removeEventListener(name, listener, true);
  };
}

function tipped(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
}

function tipOf(over: HTMLElement): Tip | null {
  const { tip, tipKeys } = over.dataset;
  return tip && over.isConnected ? { over, text: tip, keys: tipKeys } : null;
}
