/**
 * What events say of the session as a whole. Each fact is kept with the slot that said it last, so
 * that it can be laid over a view of the session that is older, and under one that is newer.
 */

import type { TimelineEvent } from "../../protocol";
import type { Said } from "./said";

export interface Values {
  readonly title: string;
  readonly status: string;
  readonly sandbox: string;
  readonly attempt: number | null;
  readonly sandboxError: string | null;
  readonly phase: { readonly phase: string; readonly repository: string | null } | null;
  readonly tunnels: Readonly<Record<string, string>>;
  readonly savedAt: string;
  readonly held: boolean;
  readonly running: number | null;
  readonly prompts: number;
  readonly finished: number;
  readonly outcome: string;
  readonly retryAt: null;
  /** Differs with each comparison of the files, and each one that failed. */
  readonly compared: string;
  /** Differs with each word of a code host about a pull request. */
  readonly told: string;
}

interface Stamped<T> {
  readonly seq: number;
  readonly value: T;
}

interface Pushed {
  readonly branch: string;
  readonly commit: string;
}

/** What was pushed stands by the name of its repository. */
type Known = Values & { readonly [repository: `pushed ${string}`]: Pushed };

export type Facts = { readonly [K in keyof Known]?: Stamped<Known[K]> };

/** A sandbox of such a status says nothing any more. */
export const ENDED: ReadonlySet<string> = new Set(["stopped", "stale", "failed"]);

/** The conversation goes on by nothing but a new prompt, if at all. */
const SETTLED = new Set(["completed", "failed", "cancelled", "archived"]);

export function factsOf(event: TimelineEvent, said: Said): Facts | null {
  const values = valuesOf(event, said);
  if (values === null) {
    return null;
  }
  const stamped = Object.entries(values).map(([name, value]) => [name, { seq: said.seq, value }]);
  return Object.fromEntries(stamped) as Facts;
}

/** The value, if it was said behind that slot. */
export function since<K extends keyof Known>(
  facts: Facts,
  name: K,
  slot: number,
): Stamped<Known[K]> | undefined {
  const fact: Stamped<Known[K]> | undefined = facts[name];
  return fact !== undefined && fact.seq > slot ? fact : undefined;
}

function valuesOf(event: TimelineEvent, said: Said): Partial<Known> | null {
  switch (event.type) {
    case "title":
      return { title: event.title };
    case "session_status":
      return SETTLED.has(event.status)
        ? { status: event.status, running: null }
        : { status: event.status };
    case "queue_held":
      return { held: true };
    case "queue_resumed":
      return { held: false };
    case "pushed":
      return { [`pushed ${event.repository}`]: { branch: event.branch, commit: event.commit } };
    case "changes_updated":
      return { compared: event.revision };
    case "warning":
      return event.scope === "changes" ? { compared: `not at ${said.seq}` } : null;
    case "pull_request":
    case "pull_request_offered":
      return { told: String(said.seq) };
    case "prompt_queued":
      return { prompts: event.prompt };
    case "prompt_dispatched":
    case "prompt_started":
      return { running: event.prompt };
    case "prompt_finished":
      return event.status === "cancelled"
        ? null
        : { running: null, finished: event.prompt, outcome: event.status };
    default:
      return ofSandbox(event, said);
  }
}

function ofSandbox(event: TimelineEvent, said: Said): Partial<Values> | null {
  switch (event.type) {
    case "sandbox_spawning":
      return { attempt: event.attempt, phase: null, retryAt: null };
    case "sandbox_status":
      return ofStatus(event.status, event.attempt, event.error ?? null);
    case "boot_progress":
      return { phase: { phase: event.phase, repository: event.repository ?? null } };
    case "ready":
      return event.complete === false ? null : { phase: null };
    case "boot_completed":
      return { phase: null };
    case "tunnels":
      return { tunnels: event.urls };
    case "snapshot_saved":
      return { savedAt: said.at };
    default:
      return null;
  }
}

function ofStatus(status: string, attempt: number, error: string | null): Partial<Values> {
  if (ENDED.has(status)) {
    const over = { sandbox: status, attempt: null, phase: null, tunnels: {} };
    return error === null ? over : { ...over, sandboxError: error };
  }
  const now = { sandbox: status, attempt };
  return status === "ready" ? { ...now, sandboxError: null } : now;
}
