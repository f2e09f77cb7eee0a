// @vitest-environment node

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { TimelineEvent } from "../../../src/protocol";
import type { Row } from "../../../src/session/state";
import { factsOf } from "../../../src/session/state/facts";
import { known } from "../../../src/session/state/known";
import { rowsOf } from "../../../src/session/state/telling";
import { factsOfTurn } from "../../../src/session/state/turns";

type Type = TimelineEvent["type"];

interface Treatment {
  /** What has to be said with it. */
  readonly event: object;
  /** What the timeline shows of it; or none, because something else of the page does. */
  readonly rows: readonly Row["kind"][];
}

const ONE = { prompt: 1 };

/** Of each type that there is: one without a line here does not pass the check of types. */
const TREATMENTS: Readonly<Record<Type, Treatment>> = {
  boot_progress: { event: { phase: "sync", status: "started" }, rows: ["boot"] },
  ready: { event: {}, rows: ["boot"] },
  boot_completed: { event: {}, rows: ["boot"] },
  fatal: { event: { error: "no disk" }, rows: ["boot"] },
  sandbox_spawning: { event: { attempt: 1 }, rows: ["boot"] },
  sandbox_status: { event: { attempt: 1, status: "stopped" }, rows: ["boot", "notice"] },
  prompt_queued: { event: { ...ONE, text: "a", author: "Ada", model: "m" }, rows: [] },
  prompt_dispatched: { event: ONE, rows: ["prompt"] },
  prompt_started: { event: ONE, rows: ["prompt"] },
  prompt_finished: { event: { ...ONE, status: "completed" }, rows: ["prompt", "outcome"] },
  execution_complete: { event: { ...ONE, status: "completed" }, rows: [] },
  step_finished: { event: ONE, rows: [] },
  text: { event: { ...ONE, part: "a", text: "b" }, rows: ["text"] },
  text_delta: { event: { ...ONE, part: "a", delta: "b" }, rows: ["text"] },
  reasoning: { event: { ...ONE, part: "a", text: "b" }, rows: ["reasoning"] },
  tool: { event: { ...ONE, call: "c", tool: "bash", status: "running" }, rows: ["tool"] },
  todo: { event: ONE, rows: ["todos"] },
  retrying: { event: { ...ONE, reason: "busy" }, rows: ["retry"] },
  committed: { event: { ...ONE, repository: "tool", commit: "c" }, rows: ["committed"] },
  pushed: { event: { ...ONE, repository: "tool", branch: "b", commit: "c" }, rows: ["pushed"] },
  changes_updated: { event: { ...ONE, revision: "r" }, rows: ["compared"] },
  stop_requested: { event: ONE, rows: ["stop"] },
  warning: { event: { message: "slow" }, rows: ["warning"] },
  artifact_created: { event: { id: "a", kind: "link" }, rows: ["artifact"] },
  queue_held: { event: { reason: "cut off" }, rows: ["notice"] },
  queue_resumed: { event: {}, rows: ["notice"] },
  snapshot_saved: { event: { prompt: 0 }, rows: ["notice"] },
  tunnels: { event: { urls: {} }, rows: ["notice"] },
  title: { event: { title: "A" }, rows: ["notice"] },
  session_status: { event: { status: "archived" }, rows: ["notice"] },
  pull_request: {
    event: { repository: "tool", number: 1, url: "u", state: "open" },
    rows: ["notice"],
  },
  pull_request_offered: { event: { repository: "tool", url: "u" }, rows: ["notice"] },
};

const SAID = { seq: 1, index: 0, at: "2026-01-01T00:00:00Z", attempt: 1 };

describe.each(Object.entries(TREATMENTS))("%s", (type, { event, rows }) => {
  const told = known({ type, ...event });

  test("is known, and is the rows that it is meant to be", () => {
    expect(told).not.toBeNull();
    const shown = told === null ? [] : rowsOf(told, SAID);

    expect(shown.map(({ kind }) => kind)).toEqual(rows);
  });

  test("is told by something else of the page where it is no row", () => {
    const says = told && (factsOf(told, SAID) ?? factsOfTurn(told, SAID));

    expect(rows.length > 0 || says !== null).toBe(true);
  });
});

test("every type of event on the wire has its treatment", () => {
  const wire = readFileSync("src/protocol/wire.ts", "utf8");
  const unions = wire.matchAll(/^export type (?:Bridge|Server)Event =([^;]+);/gm);
  const names = [...unions].flatMap(([, union = ""]) => union.match(/\w+/g) ?? []);
  const types = names.map((name) => {
    return new RegExp(`^export interface ${name} {\\s+type: "(\\w+)"`, "m").exec(wire)?.[1];
  });

  expect(types.length).toBeGreaterThan(30);
  expect(types.sort()).toEqual(Object.keys(TREATMENTS).sort());
});
