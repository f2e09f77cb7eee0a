/** How long ago something was, in few letters, kept true while it is shown. */
import { signal } from "@preact/signals";

const TICK_MS = 20_000;

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time class="relative-time" dateTime={at} title={date.toLocaleString()}>
      {ago(date.getTime(), Math.max(now.value, Date.now()))}
    </time>
  );
}

const UNITS: [string, number][] = [
  ["y", 365 * 86_400],
  ["mo", 30 * 86_400],
  ["w", 7 * 86_400],
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
];

/** Both in milliseconds. A clock that is behind the server's says "now". */
export function ago(then: number, current: number): string {
  const seconds = Math.floor((current - then) / 1_000);
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return `${Math.floor(seconds / length)}${unit}`;
  }
  return "now";
}
