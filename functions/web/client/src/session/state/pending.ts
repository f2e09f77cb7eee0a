/** Prompts of ours that are shown before the server tells of them, until it does. */

import { lookUp } from "./keyed";
import { EXCERPT_CHARS, type TurnFacts } from "./turns";
import type { PendingPrompt, SessionState } from "./types";

/** Sent for the first time, or again under the same request id. */
export function sent(state: SessionState, prompt: PendingPrompt): SessionState {
  const others = state.pending.filter((known) => known.requestId !== prompt.requestId);
  const known = state.pending.find((known) => known.requestId === prompt.requestId);
  const now = known === undefined ? prompt : { ...known, refused: null };
  return { ...state, pending: [...others, now] };
}

export function accepted(state: SessionState, requestId: string, number: number): SessionState {
  return changed(state, requestId, { number, refused: null });
}

export function refused(state: SessionState, requestId: string, message: string): SessionState {
  return changed(state, requestId, { refused: message });
}

export function dismissed(state: SessionState, requestId: string): SessionState {
  return { ...state, pending: state.pending.filter((prompt) => prompt.requestId !== requestId) };
}

function changed(
  state: SessionState,
  requestId: string,
  change: Partial<PendingPrompt>,
): SessionState {
  const pending = state.pending.map((prompt) =>
    prompt.requestId === requestId ? { ...prompt, ...change } : prompt,
  );
  return { ...state, pending };
}

/** Without those that the timeline, or the list of prompts, shows by now. */
export function settled(state: SessionState): SessionState {
  const waiting = state.pending.filter(({ number }) => number === null || !isTold(state, number));
  return waiting.length === state.pending.length ? state : { ...state, pending: waiting };
}

/**
 * Those to be shown. A frame may tell of our prompt before the answer to our request does: until
 * then the first prompt with the same text that came after it is taken for it.
 */
export function unseen(state: SessionState): readonly PendingPrompt[] {
  const claimed = new Set<number>();
  return state.pending.filter((prompt) => {
    const seen = prompt.number === null ? sameText(state, prompt, claimed) : null;
    if (seen !== null) {
      claimed.add(seen);
    }
    return seen === null;
  });
}

function sameText(
  state: SessionState,
  prompt: PendingPrompt,
  claimed: ReadonlySet<number>,
): number | null {
  for (let number = prompt.behind + 1; isTold(state, number); number += 1) {
    const told = factsOf(state, number)?.text ?? state.prompts.get(number)?.text;
    if (!claimed.has(number) && told !== undefined && isExcerpt(told, prompt.text)) {
      return number;
    }
  }
  return null;
}

function isExcerpt(told: string, text: string): boolean {
  return told === text || (told.length >= EXCERPT_CHARS && text.startsWith(told));
}

function isTold(state: SessionState, number: number): boolean {
  return state.prompts.has(number) || factsOf(state, number)?.queuedAt != null;
}

function factsOf(state: SessionState, number: number): TurnFacts | undefined {
  return state.loaded === null ? undefined : lookUp(state.loaded.turns, String(number));
}
