/** What the timeline tells of a prompt, in pieces that add up in any grouping. */

import type { Attached, TimelineEvent, TokenCounts } from "../../protocol";
import type { Said } from "./said";
import type { PromptStatus } from "./types";

/** A prompt's event has no more of its text than that. */
export const EXCERPT_CHARS = 1_000;

export interface Spent {
  readonly cost: number;
  readonly tokens: TokenCounts;
}

export const NOTHING: Spent = { cost: 0, tokens: { input: 0, output: 0, cached: 0 } };

export interface TurnFacts {
  readonly number: number;
  readonly status: PromptStatus;
  readonly author: string | null;
  readonly text: string | null;
  readonly attachments: readonly Attached[] | null;
  readonly model: string | null;
  readonly stopping: boolean;
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** A copy of its files is kept. */
  readonly saved: boolean;
  readonly error: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  /** What it cost in all; null: it is not over. */
  readonly cost: number | null;
  readonly tokens: TokenCounts | null;
  /** Step by step, of each sandbox that worked on it. */
  readonly spent: ReadonlyMap<number, Spent>;
}

const NOTHING_SPENT: ReadonlyMap<number, Spent> = new Map();

const UNKNOWN: Omit<TurnFacts, "number"> = {
  status: "queued",
  author: null,
  text: null,
  attachments: null,
  model: null,
  stopping: false,
  queuedAt: null,
  startedAt: null,
  finishedAt: null,
  saved: false,
  error: null,
  branch: null,
  commit: null,
  cost: null,
  tokens: null,
  spent: NOTHING_SPENT,
};

const RUNNING = { ...UNKNOWN, status: "running" } as const;

/** A prompt never goes back. */
const RANK: Readonly<Record<PromptStatus, number>> = {
  queued: 0,
  running: 1,
  completed: 2,
  failed: 2,
  stopped: 2,
  cancelled: 2,
};

export function later(one: PromptStatus, other: PromptStatus): PromptStatus {
  return RANK[other] >= RANK[one] ? other : one;
}

export function isOver(status: PromptStatus): boolean {
  return RANK[status] === RANK.completed;
}

/** null: the event says nothing of a prompt. */
export function factsOfTurn(event: TimelineEvent, said: Said): TurnFacts | null {
  switch (event.type) {
    case "prompt_queued":
      return {
        ...UNKNOWN,
        number: event.prompt,
        author: event.author,
        text: event.text,
        attachments: event.attachments ?? null,
        model: event.model,
        queuedAt: said.at,
      };
    case "prompt_dispatched":
    case "prompt_started":
      return { ...RUNNING, number: event.prompt, startedAt: said.at };
    case "stop_requested":
      return { ...RUNNING, number: event.prompt, stopping: true };
    case "pushed":
      return { ...RUNNING, number: event.prompt, branch: event.branch, commit: event.commit };
    case "snapshot_saved":
      return { ...UNKNOWN, number: event.prompt, saved: true };
    case "step_finished":
      return { ...RUNNING, number: event.prompt, spent: spentOn(event, said) };
    case "execution_complete":
    case "prompt_finished":
      return ended(event, said);
    default:
      return null;
  }
}

type Ended = Extract<TimelineEvent, { type: "execution_complete" | "prompt_finished" }>;

function ended(event: Ended, said: Said): TurnFacts {
  return {
    ...UNKNOWN,
    number: event.prompt,
    status: event.type === "prompt_finished" ? event.status : "running",
    finishedAt: said.at,
    error: event.error ?? null,
    branch: event.branch ?? null,
    commit: event.commit ?? null,
    cost: event.cost ?? null,
    tokens: ("tokens" in event ? (event.tokens as TokenCounts | null) : null) ?? null,
  };
}

type Step = Extract<TimelineEvent, { type: "step_finished" }>;

function spentOn(event: Step, said: Said): ReadonlyMap<number, Spent> {
  const told = event.tokens ?? {};
  const tokens = {
    input: (told.input ?? 0) + (told.cache_write ?? 0),
    output: (told.output ?? 0) + (told.reasoning ?? 0),
    cached: told.cache_read ?? 0,
  };
  return new Map([[said.attempt ?? 0, { cost: event.cost ?? 0, tokens }]]);
}

export function mergedTurn(older: TurnFacts | undefined, newer: TurnFacts): TurnFacts {
  if (older === undefined) {
    return newer;
  }
  return {
    number: newer.number,
    status: later(older.status, newer.status),
    author: newer.author ?? older.author,
    text: newer.text ?? older.text,
    attachments: newer.attachments ?? older.attachments,
    model: newer.model ?? older.model,
    stopping: older.stopping || newer.stopping,
    queuedAt: older.queuedAt ?? newer.queuedAt,
    startedAt: older.startedAt ?? newer.startedAt,
    finishedAt: newer.finishedAt ?? older.finishedAt,
    saved: older.saved || newer.saved,
    error: newer.error ?? older.error,
    branch: newer.branch ?? older.branch,
    commit: newer.commit ?? older.commit,
    cost: newer.cost ?? older.cost,
    tokens: newer.tokens ?? older.tokens,
    spent: added(older.spent, newer.spent),
  };
}

function added(
  older: ReadonlyMap<number, Spent>,
  newer: ReadonlyMap<number, Spent>,
): ReadonlyMap<number, Spent> {
  if (newer.size === 0) {
    return older;
  }
  const sums = new Map(older);
  for (const [attempt, spent] of newer) {
    const before = sums.get(attempt);
    sums.set(attempt, before === undefined ? spent : sum(before, spent));
  }
  return sums;
}

export function sum(one: Spent, other: Spent): Spent {
  return {
    cost: one.cost + other.cost,
    tokens: {
      input: one.tokens.input + other.tokens.input,
      output: one.tokens.output + other.tokens.output,
      cached: one.tokens.cached + other.tokens.cached,
    },
  };
}

/** Without what sandboxes spent that were over by then. */
export function withoutSpent(turn: TurnFacts, upTo: number): TurnFacts {
  const kept = [...turn.spent].filter(([attempt]) => attempt === 0 || attempt > upTo);
  return kept.length === turn.spent.size ? turn : { ...turn, spent: new Map(kept) };
}
