// @vitest-environment node

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { FrameMessage } from "../../../src/protocol";
import {
  INITIAL,
  type Message,
  receive,
  rows,
  type SessionState,
} from "../../../src/session/state";
import { VIEW } from "./story";

const EVENTS = 100_000;
const IN_A_FRAME = 10;

test("one more frame makes as much anew in a long session as in a short one", () => {
  const short = long(500, 1_000);

  const afterShort = madeAnew(short, receive(short, working(short.tail + 1)));
  const afterLong = madeAnew(PAGE, receive(PAGE, working(PAGE.tail + 1)));

  expect(rows(PAGE).length).toBeGreaterThan(EVENTS / 4);
  expect(afterLong).toBeLessThan(afterShort * 2);
});

test("an older page makes as much anew in front of a long session as of a short one", () => {
  const older = Array.from({ length: 100 }, (_, index) => working(901 + index));
  const message: Message = { type: "page", frames: older, tail: 0, more: true };
  const short = long(500, 1_000);

  const inFrontOfShort = madeAnew(short, receive(short, message));
  const inFrontOfLong = madeAnew(PAGE, receive(PAGE, message));

  expect(inFrontOfLong).toBeLessThan(inFrontOfShort * 2);
});

test("a session of 100,000 events takes less than 100 MB", () => {
  const before = heap();

  const page = long(EVENTS, 1_000);

  const megabytes = (heap() - before) / 2 ** 20;
  console.info(`100,000 events: ${rows(page).length} rows, ${megabytes.toFixed(0)} MB`);
  expect(megabytes).toBeLessThan(100);
});

const PAGE = long(EVENTS, 1_000);

/** What is reachable now and was not before. */
function madeAnew(before: SessionState, after: SessionState): number {
  const known = reachable(before.loaded, new Set());
  return [...reachable(after.loaded, known)].length;
}

function reachable(value: unknown, except: ReadonlySet<object>): Set<object> {
  const found = new Set<object>();
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === "object" && next !== null && !found.has(next) && !except.has(next)) {
      found.add(next);
      ahead.push(...(next instanceof Map ? next.values() : Object.values(next)));
    }
  }
  return found;
}

function long(events: number, before: number): SessionState {
  let state = receive(INITIAL, {
    type: "subscribed",
    session: VIEW,
    user: "ada",
    participants: [],
    frames: [],
    tail: before,
    more: false,
  });
  for (let frame = 1; frame <= events / IN_A_FRAME; frame += 1) {
    state = receive(state, working(before + frame));
  }
  return state;
}

/** A turn of a thousand slots: words, thoughts, and a tool that says what it does. */
function working(seq: number): FrameMessage {
  const prompt = 1 + Math.floor(seq / 1_000);
  const events = [
    { type: "prompt_started", prompt },
    { type: "reasoning", prompt, part: `r${seq}`, text: "what to do next" },
    {
      type: "tool",
      prompt,
      call: `c${seq}`,
      tool: "bash",
      status: "running",
      input: { command: "ls" },
    },
    {
      type: "tool",
      prompt,
      call: `c${seq}`,
      tool: "bash",
      status: "completed",
      output: `${seq} `.repeat(40),
    },
    { type: "step_finished", prompt, cost: 1, tokens: { input: 1, output: 1 } },
    ...Array.from({ length: 5 }, (_, word) => ({
      type: "text_delta",
      prompt,
      part: `t${seq}`,
      delta: `word ${word} `,
    })),
  ];
  return {
    type: "frame",
    seq,
    at: "2026-01-01T00:00:00Z",
    attempt: 1,
    items: events.map((event) => ({ type: "sandbox_event", event })),
  };
}

function heap(): number {
  setFlagsFromString("--expose_gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
