/**
 * Which events this client can show. Timelines are older and newer than it is: what has an unknown
 * type, or lacks what its type needs, passes as unknown and breaks nothing.
 */

import { lookup } from "../../design/lookup";
import type { TimelineEvent } from "../../protocol";

type Type = TimelineEvent["type"];
type Kind = keyof typeof KINDS;
type Fields = Readonly<Record<string, Kind>>;

/** A sandbox may say anything: what it says of itself alone, no server has looked at. */
const KINDS = {
  boolean: (value: unknown) => typeof value === "boolean",
  number: (value: unknown) => typeof value === "number",
  string: (value: unknown) => typeof value === "string",
  object: isObject,
  numbers: (value: unknown) => isObject(value) && Object.values(value).every(isNumber),
  strings: isOfStrings,
  lists: (value: unknown) => Array.isArray(value) && value.every(isOfStrings),
} as const;

const PROMPT = { prompt: "number" } as const;
const ATTEMPT = { attempt: "number" } as const;

/** What has to be there, and be of that kind. */
const NEEDED: Readonly<Record<Type, Fields>> = {
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
  changes_updated: { ...PROMPT, revision: "string" },
  execution_complete: { ...PROMPT, status: "string" },
  prompt_queued: { ...PROMPT, text: "string" },
  prompt_dispatched: PROMPT,
  prompt_finished: { ...PROMPT, status: "string" },
  stop_requested: PROMPT,
  session_status: { status: "string" },
  sandbox_spawning: ATTEMPT,
  sandbox_status: { ...ATTEMPT, status: "string" },
  snapshot_saved: PROMPT,
  tunnels: { urls: "strings" },
  queue_held: { reason: "string" },
  queue_resumed: {},
  title: { title: "string" },
  pull_request: { repository: "string", number: "number", url: "string", state: "string" },
  pull_request_offered: { repository: "string", url: "string" },
  artifact_created: { id: "string", kind: "string" },
};

/** What may be missing or null, and else is of that kind. */
const GIVEN: Readonly<Partial<Record<Type, Fields>>> = {
  boot_progress: {
    repository: "string",
    elapsedMs: "number",
    warning: "string",
    error: "string",
    outputTail: "string",
  },
  ready: { complete: "boolean" },
  text: { final: "boolean" },
  tool: {
    title: "string",
    input: "object",
    output: "string",
    error: "string",
    exitCode: "number",
  },
  step_finished: { cost: "number", tokens: "numbers" },
  todo: { items: "lists" },
  retrying: { attempt: "number" },
  warning: { scope: "string" },
  committed: { files: "number" },
  pull_request: { title: "string", draft: "boolean", author: "string", first: "boolean" },
  changes_updated: {
    files: "number",
    additions: "number",
    deletions: "number",
    repositories: "number",
  },
  execution_complete: {
    error: "string",
    cost: "number",
    tokens: "numbers",
    branch: "string",
    commit: "string",
  },
};

export function known(event: Readonly<Record<string, unknown>>): TimelineEvent | null {
  const type = String(event.type);
  const needed = lookup(NEEDED, type);
  const given = lookup<Fields>(GIVEN, type) ?? {};
  const whole =
    needed !== undefined &&
    Object.entries(needed).every(([field, kind]) => KINDS[kind](event[field])) &&
    Object.entries(given).every(
      ([field, kind]) => event[field] == null || KINDS[kind](event[field]),
    );
  return whole ? (event as unknown as TimelineEvent) : null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOfStrings(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((each) => typeof each === "string");
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
