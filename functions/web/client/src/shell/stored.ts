/** What this browser remembers for its user. A browser that keeps nothing is no error. */
import { effect, type Signal, signal } from "@preact/signals";

/** A signal whose value outlives the page. `read` refuses what is no (longer a) value of it. */
export function stored<Value>(
  name: string,
  initial: Value,
  read: (kept: unknown) => Value | null,
): Signal<Value> {
  const value = signal<Value>(read(recall(name)) ?? initial);
  let first = true;
  effect(() => {
    const current = value.value;
    if (!first) keep(name, current);
    first = false;
  });
  return value;
}

export function storedFlag(name: string, initial: boolean): Signal<boolean> {
  return stored(name, initial, (kept) => (typeof kept === "boolean" ? kept : null));
}

export function recall(name: string): unknown {
  try {
    const kept = localStorage.getItem(key(name));
    return kept === null ? null : JSON.parse(kept);
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key(name));
    else localStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // Full, or forbidden: what is on the page goes on without it.
  }
}

/** All but the appearance: the next person at this browser finds nothing of the last. */
export function forgetPerson(): void {
  try {
    sessionStorage.clear();
    const kept = Object.keys(localStorage).filter((each) => each.startsWith("outboard."));
    for (const each of kept) if (each !== "outboard.theme") localStorage.removeItem(each);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

function key(name: string): string {
  return `outboard.${name}`;
}
