/** Prompts as the page shows them: what the timeline tells and what the server's list says, as one. */

import type { PromptView } from "../../protocol";
import { lookUp } from "./keyed";
import { unseen } from "./pending";
import { EXCERPT_CHARS, isOver, later, NOTHING, type Spent, sum, type TurnFacts } from "./turns";
import type { PendingPrompt, PromptStatus, SessionState, Turn } from "./types";

/** A prompt that waits. `key` is its prompt's row's, too, once it has a number. */
export interface QueuedPrompt {
  readonly key: string;
  readonly number: number | null;
  readonly turn: Turn | null;
  readonly pending: PendingPrompt | null;
}

/** null: nothing is known of it. The same object as long as nothing else is. */
export function turn(state: SessionState, number: number): Turn | null {
  const facts = state.loaded === null ? undefined : lookUp(state.loaded.turns, String(number));
  const view = state.prompts.get(number);
  if (facts === undefined) {
    return view === undefined ? null : remembered(view, facts, view);
  }
  return remembered(facts, facts, view);
}

/** What waits for its turn, without the one that `upNext` puts into the timeline. */
export function queue(state: SessionState): readonly QueuedPrompt[] {
  const first = upNext(state);
  const told = queuedNumbers(state)
    .filter((number) => number !== first)
    .map((number) => queued(turn(state, number), number, null));
  const ours = unseen(state).map((pending) => queued(null, pending.number, pending));
  return [...told, ...ours];
}

/** The prompt that the sandbox is being made ready for: nothing runs, and nothing holds it back. */
export function upNext(state: SessionState): number | null {
  const { view, loaded } = state;
  const isRunning = (loaded?.facts.running ?? { value: view?.running ?? null }).value !== null;
  const isHeld = (loaded?.facts.held ?? { value: view?.held ?? false }).value;
  return isRunning || isHeld ? null : (queuedNumbers(state)[0] ?? null);
}

/** Prompts have their turn in their order, so all in front of one that had it are over. */
export function queuedNumbers(state: SessionState): readonly number[] {
  const numbers: number[] = [];
  for (let number = newestPrompt(state); number > 0; number -= 1) {
    const status = statusOf(state, number);
    if (status === "queued") {
      numbers.unshift(number);
    } else if (status !== "cancelled") {
      break;
    }
  }
  return numbers;
}

export function newestPrompt(state: SessionState): number {
  return Math.max(state.newest, state.loaded?.facts.prompts?.value ?? 0);
}

function queued(turn: Turn | null, number: number | null, pending: PendingPrompt | null) {
  const key = number === null ? `request/${pending?.requestId}` : `turn/${number}`;
  return { key, number, turn, pending };
}

function statusOf(state: SessionState, number: number): PromptStatus | null {
  const facts = state.loaded === null ? undefined : lookUp(state.loaded.turns, String(number));
  const view = state.prompts.get(number);
  return facts === undefined && view === undefined ? null : status(facts, view);
}

function status(facts: TurnFacts | undefined, view: PromptView | undefined): PromptStatus {
  const shown = (view?.status ?? "queued") as PromptStatus;
  return later(shown, facts?.status ?? "queued");
}

const REMEMBERED = new WeakMap<object, { view: PromptView | undefined; turn: Turn }>();

function remembered(key: object, facts: TurnFacts | undefined, view: PromptView | undefined): Turn {
  const known = REMEMBERED.get(key);
  if (known !== undefined && known.view === view) {
    return known.turn;
  }
  const turn = composed(facts, view);
  REMEMBERED.set(key, { view, turn });
  return turn;
}

function composed(facts: TurnFacts | undefined, view: PromptView | undefined): Turn {
  const now = status(facts, view);
  const spent = [...(facts?.spent.values() ?? [])].reduce(sum, NOTHING);
  const text = view?.text ?? facts?.text ?? null;
  return {
    number: view?.number ?? facts?.number ?? 0,
    status: now,
    author: view?.author.name ?? facts?.author ?? null,
    user: view?.user ?? null,
    text,
    excerpt: view === undefined && (text?.length ?? 0) >= EXCERPT_CHARS,
    attachments: view?.attachments ?? facts?.attachments ?? [],
    model: view?.model ?? facts?.model ?? null,
    effort: view?.effort ?? null,
    stopping: now === "running" && (facts?.stopping ?? false),
    queuedAt: view?.createdAt ?? facts?.queuedAt ?? null,
    startedAt: facts?.startedAt ?? null,
    finishedAt: view?.finishedAt ?? (isOver(now) ? (facts?.finishedAt ?? null) : null),
    saved: facts?.saved ?? false,
    error: view?.error ?? facts?.error ?? null,
    branch: view?.branch ?? facts?.branch ?? null,
    commit: view?.commit ?? facts?.commit ?? null,
    ...whole(facts, view, spent),
  };
}

/** What the server has summed up, and the steps so far until it has. */
function whole(facts: TurnFacts | undefined, view: PromptView | undefined, spent: Spent): Spent {
  if (view !== undefined && view.finishedAt !== null) {
    return { cost: view.cost, tokens: view.tokens ?? spent.tokens };
  }
  return { cost: facts?.cost ?? spent.cost, tokens: facts?.tokens ?? spent.tokens };
}
