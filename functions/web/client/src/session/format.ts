/** Times, durations, sums and sizes in as few letters as say something. */

import type { TokenCounts } from "../protocol";

const MINUTE = 60_000;

/** `< 0.1 s`, `1.4 s` below ten seconds, `42 s` below a minute, `2 m 05 s` and `1 h 02 m` above. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < 50) {
    return "< 0.1 s";
  }
  if (whole < 9_950) {
    return `${(whole / 1_000).toFixed(1)} s`;
  }
  const seconds = Math.round(whole / 1_000);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`
    : `${Math.floor(seconds / 3_600)} h ${two(Math.floor(seconds / 60) % 60)} m`;
}

/** What runs right now, in whole seconds, so that it does not flicker: `0:07`, `12:30`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

export function between(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

export function dollars(amount: number): string {
  if (amount === 0) {
    return "$0";
  }
  return `$${amount.toFixed(amount >= 1 ? 2 : amount >= 0.01 ? 3 : 4)}`;
}

/** `812`, `12.4k`, `3.1M`. */
export function count(amount: number): string {
  if (amount < 1_000) {
    return `${amount}`;
  }
  const [size, unit] = amount < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  const value = amount / size;
  return `${value < 100 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
}

export function total({ input, output, cached }: TokenCounts): number {
  return input + output + cached;
}

export function plural(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}

/** `14:32` today, `28 Nov, 14:32` this year, `28 Nov 2025` before. */
export function moment(at: string, now: Date = new Date()): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === now.toDateString()) {
    return time;
  }
  const day = `${date.getDate()} ${date.toLocaleString("en", { month: "short" })}`;
  return date.getFullYear() === now.getFullYear()
    ? `${day}, ${time}`
    : `${day} ${date.getFullYear()}`;
}

/** How long until then: `in 42 m`; "now" when it has passed. */
export function until(at: string, now: number): string {
  const left = Date.parse(at) - now;
  if (left < MINUTE) {
    return left <= 0 ? "now" : "in under a minute";
  }
  const minutes = Math.round(left / MINUTE);
  return minutes < 60
    ? `in ${minutes} m`
    : `in ${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
