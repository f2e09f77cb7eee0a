/** Keys that do something wherever one is, and what they are said to do. */
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface Shortcut {
  /** `c`, `?`, `mod+k` (Cmd on Apple's keyboards, else Ctrl), or `g s`: one after the other. */
  keys: string;
  label: string;
  group: string;
  run: () => void;
  /** It works in text fields as well. */
  everywhere?: boolean;
}

const SEQUENCE_MS = 1_000;

export const shortcuts = signal<Shortcut[]>([]);

/** As long as the component is shown. Of two for the same keys the newest counts. */
export function useShortcuts(list: Shortcut[]): void {
  const current = useRef(list);
  current.current = list;
  const shape = list.map((each) => each.keys + each.label).join();
  // What is seen can be used: there is no picture of the page without its keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` says when the list is another one.
  useLayoutEffect(() => {
    const stable = current.current.map((each, at) => ({
      ...each,
      run: () => current.current[at]?.run(),
    }));
    shortcuts.value = [...shortcuts.peek(), ...stable];
    return () => {
      shortcuts.value = shortcuts.peek().filter((each) => !stable.includes(each));
    };
  }, [shape]);
}

/** Called once, when the page starts; returns what ends it. */
export function listenForShortcuts(): () => void {
  let before = "";
  let at = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const pressed = keysOf(event);
    const sequence = before && event.timeStamp - at < SEQUENCE_MS ? `${before} ${pressed}` : "";
    const found = find(sequence, event) ?? find(pressed, event);
    before = found ? "" : pressed;
    at = event.timeStamp;
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

function find(keys: string, event: KeyboardEvent): Shortcut | undefined {
  const found = shortcuts.peek().findLast((each) => each.keys === keys);
  if (!found || found.everywhere) return found;
  return isTyping(event.target) || isInLayer(event.target) ? undefined : found;
}

function keysOf(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const parts = [];
  if (event.metaKey || event.ctrlKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  if (event.shiftKey && event.key.length > 1) parts.push("shift");
  return [...parts, key].join("+");
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=radio]), textarea, select");
}

/** In a dialog or a menu, keys are the dialog's. */
function isInLayer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog, [popover]") !== null;
}
