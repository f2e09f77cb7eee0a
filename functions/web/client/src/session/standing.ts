/** What a session is up to, as the page asks it: may it be prompted, can it be stopped, what waits. */

import type { SessionView } from "../protocol";

export function isOpen(session: SessionView): boolean {
  return session.status !== "archived" && session.status !== "cancelled";
}

/** While a sandbox boots, what is stopped is the prompt that waits for it. */
export function canStop(session: SessionView): boolean {
  return isOpen(session) && (session.running !== null || (session.unfinished > 0 && !session.held));
}

/** What a prompt that is sent now has to expect, in words; null: it has its turn at once. */
export function willWait(session: SessionView): string | null {
  if (session.held) {
    return "Will be queued: the queue is held";
  }
  if (session.running !== null) {
    return "Will be queued behind the running turn";
  }
  return session.unfinished > 0 ? "Will be queued" : null;
}

/** What is being sent has its turn at once when nothing is before it: it belongs to the timeline. */
export function splitQueue<Q extends { readonly pending: object | null }>(
  session: SessionView,
  queue: readonly Q[],
): { readonly sending: Q | null; readonly waiting: readonly Q[] } {
  const [first = null, ...others] = queue;
  const atOnce = first !== null && first.pending !== null && willWait(session) === null;
  return atOnce ? { sending: first, waiting: others } : { sending: null, waiting: queue };
}

/** For a person to paste: what others have named must not be an option of git. */
export function fetchCommand(place: string, branch: string): string {
  const end = [place, branch].some((word) => word.startsWith("-")) ? ["--"] : [];
  return ["git", "fetch", ...end, quoted(place), quoted(branch)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
