/** How old a code host's list may be before somebody is told. */
import { ago } from "../design/relative-time";

/** The server asks again after five minutes. What is older is shown because nobody answered. */
const STALE_MS = 6 * 60_000;

/** Null: it is as the host has it. */
export function staleness(asOf: string | null, now: number): string | null {
  if (asOf === null || now - Date.parse(asOf) < STALE_MS) return null;
  return `The code host does not answer. This is how it was ${ago(Date.parse(asOf), now)} ago.`;
}
