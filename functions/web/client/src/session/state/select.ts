/** What the page asks of its state. All of it is cheap, however long the session is. */

import type { SandboxView, SessionView } from "../../protocol";
import { since } from "./facts";
import { newestPrompt, queuedNumbers, turn } from "./prompts";
import { NOTHING, type Spent, sum } from "./turns";
import type { SessionState } from "./types";

/** The newest slot that is loaded without a hole behind what is shown; 0: none. */
export function cursor(state: SessionState): number {
  return state.loaded?.last ?? 0;
}

/** Whether there is more of the timeline in front of what is loaded. */
export function hasOlder(state: SessionState): boolean {
  return state.loaded !== null && state.loaded.first > 1;
}

/** Another one with each comparison of the files that was told of; empty: none was, yet. */
export function compared(state: SessionState): string {
  return state.loaded?.facts.compared?.value ?? "";
}

/** Another one whenever there may be more pull requests, artifacts or branches than were known. */
export function handedIn(state: SessionState): string {
  const { finished, running, told } = state.loaded?.facts ?? {};
  return [finished, running, told].map((fact) => fact?.value ?? "").join("/");
}

const REMEMBERED = new WeakMap<SessionView, { of: readonly unknown[]; session: SessionView }>();

/**
 * The session with everything that was heard since it was looked at. The same object as long as
 * nothing of that has changed: most frames are words of a row.
 */
export function session(state: SessionState): SessionView | null {
  const { view, viewedAt, newest, prompts, loaded } = state;
  if (view === null) {
    return null;
  }
  const of = [viewedAt, newest, prompts, loaded?.facts, loaded?.turns];
  const known = REMEMBERED.get(view);
  if (known?.of.every((part, at) => part === of[at])) {
    return known.session;
  }
  const session = composed(state, view);
  REMEMBERED.set(view, { of, session });
  return session;
}

function composed(state: SessionState, view: SessionView): SessionView {
  const { viewedAt: slot } = state;
  const facts = state.loaded?.facts ?? {};
  const latest = <T>(fact: { value: T } | undefined, shown: T): T =>
    fact === undefined ? shown : fact.value;
  const running = latest(since(facts, "running", slot), view.running);
  return {
    ...view,
    title: latest(since(facts, "title", slot), view.title),
    status: latest(since(facts, "status", slot), view.status),
    held: latest(since(facts, "held", slot), view.held),
    retryAt: latest(since(facts, "retryAt", slot), view.retryAt),
    ...pushed(state, view),
    prompts: newestPrompt(state),
    finished: latest(since(facts, "finished", slot), view.finished),
    outcome: latest(since(facts, "outcome", slot), view.outcome),
    running,
    unfinished: unfinished(state, running) ?? view.unfinished,
    sandbox: sandbox(state, view.sandbox),
    ...spent(state, view),
  };
}

function pushed(state: SessionState, view: SessionView) {
  const facts = state.loaded?.facts ?? {};
  const repositories = view.repositories.map((repository) => {
    const news = since(facts, `pushed ${repository.name}`, state.viewedAt)?.value;
    return news === undefined
      ? repository
      : { ...repository, pushedBranch: news.branch, pushedCommit: news.commit };
  });
  const first = repositories.find((repository) => repository.pushedBranch !== null);
  const { pushedBranch: branch = null, pushedCommit: commit = null } = first ?? {};
  return { repositories, branch, commit };
}

/** null: not even the newest prompt is known yet. */
function unfinished(state: SessionState, running: number | null): number | null {
  const newest = newestPrompt(state);
  if (newest > 0 && turn(state, newest) === null) {
    return null;
  }
  return queuedNumbers(state).length + (running === null ? 0 : 1);
}

function sandbox(state: SessionState, view: SandboxView): SandboxView {
  const facts = state.loaded?.facts ?? {};
  const slot = state.viewedAt;
  const phase = since(facts, "phase", slot);
  const attempt = since(facts, "attempt", slot);
  const error = since(facts, "sandboxError", slot);
  const isAnother = attempt !== undefined && attempt.value !== view.attempt;
  return {
    status: since(facts, "sandbox", slot)?.value ?? view.status,
    attempt: attempt === undefined ? view.attempt : attempt.value,
    phase: phase === undefined ? view.phase : (phase.value?.phase ?? null),
    repository: phase === undefined ? view.repository : (phase.value?.repository ?? null),
    error: error === undefined ? view.error : error.value,
    expiresAt: isAnother ? null : view.expiresAt,
    tunnels: since(facts, "tunnels", slot)?.value ?? view.tunnels,
    savedAt: since(facts, "savedAt", slot)?.value ?? view.savedAt,
  };
}

/** The view's sums, and what turns that it does not know to be over cost on top of them. */
function spent(state: SessionState, view: SessionView): Spent {
  let all: Spent = { cost: view.cost, tokens: view.tokens ?? NOTHING.tokens };
  for (let number = (view.finished ?? 0) + 1; number <= newestPrompt(state); number += 1) {
    all = sum(all, turn(state, number) ?? NOTHING);
  }
  return all;
}
