/**
 * Which events this client can show. Timelines are older and newer than it is: what has an unknown
 * type, or lacks what its type needs, passes as unknown and breaks nothing.
 */

import type { TimelineEvent } from "../../protocol";

type Type = TimelineEvent["type"];
type Kind = "number" | "string" | "object";

const PROMPT = { prompt: "number" } as const;
const ATTEMPT = { attempt: "number" } as const;

/** What has to be there, and be of that kind. */
const NEEDED: Readonly<Record<Type, Readonly<Record<string, Kind>>>> = {
  boot_progress: { phase: "string", status: "string" },
  ready: {},
  boot_completed: {},
  fatal: { error: "string" },
  prompt_started: PROMPT,
  text: { ...PROMPT, part: "string", text: "string" },
  text_delta: { ...PROMPT, part: "string", delta: "string" },
  reasoning: { ...PROMPT, part: "string", text: "string" },
  tool: { ...PROMPT, call: "string", tool: "string", status: "string" },
  step_finished: PROMPT,
  todo: PROMPT,
  retrying: { ...PROMPT, reason: "string" },
  warning: { message: "string" },
  committed: { ...PROMPT, repository: "string", commit: "string" },
  pushed: { ...PROMPT, repository: "string", branch: "string", commit: "string" },
  execution_complete: { ...PROMPT, status: "string" },
  prompt_queued: { ...PROMPT, text: "string" },
  prompt_dispatched: PROMPT,
  prompt_finished: { ...PROMPT, status: "string" },
  stop_requested: PROMPT,
  session_status: { status: "string" },
  sandbox_spawning: ATTEMPT,
  sandbox_status: { ...ATTEMPT, status: "string" },
  snapshot_saved: PROMPT,
  tunnels: { urls: "object" },
  queue_held: { reason: "string" },
  queue_resumed: {},
  title: { title: "string" },
  artifact_created: { id: "string", kind: "string" },
};

export function known(event: Readonly<Record<string, unknown>>): TimelineEvent | null {
  const needed = NEEDED[event.type as Type];
  const whole =
    needed !== undefined &&
    Object.entries(needed).every(([field, kind]) => isOf(kind, event[field]));
  return whole ? (event as unknown as TimelineEvent) : null;
}

function isOf(kind: Kind, value: unknown): boolean {
  return typeof value === kind && value !== null;
}
