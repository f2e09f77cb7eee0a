/** Keys as they are printed on the reader's keyboard. */
import "./kbd.css";

const APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

const SYMBOLS: Record<string, string> = {
  mod: APPLE ? "⌘" : "Ctrl",
  alt: APPLE ? "⌥" : "Alt",
  shift: APPLE ? "⇧" : "Shift",
  enter: APPLE ? "↵" : "Enter",
  escape: "Esc",
  up: "↑",
  down: "↓",
};

/** `keys` is written like `mod+k`, or `g s` for one after the other. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span class="keys">
      {keyCaps(keys).map((cap, at) => (
        <kbd key={at} class="kbd">
          {cap}
        </kbd>
      ))}
    </span>
  );
}

function keyCaps(keys: string): string[] {
  return keys
    .split(/[ +]/)
    .map((key) => SYMBOLS[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
