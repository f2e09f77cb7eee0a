// @vitest-environment node

import { expect, test } from "vitest";
import type { FrameMessage } from "../../../src/protocol";
import {
  allRows,
  compared,
  handedIn,
  hasOlder,
  INITIAL,
  type Message,
  queue,
  type Row,
  receive,
  type SessionState,
  session,
  turn,
} from "../../../src/session/state";
import { VIEW } from "./story";

test("words that come in pieces are one text, and the whole replaces the pieces", () => {
  const pieces = joined([
    said({ type: "text_delta", part: "a", delta: "Hel" }),
    said({ type: "text_delta", part: "a", delta: "lo" }),
  ]);
  const whole = receive(
    pieces,
    at(3, said({ type: "text", part: "a", text: "Hello.", final: true })),
  );

  expect(all(pieces)).toMatchObject([{ kind: "text", text: "Hello", whole: false, final: false }]);
  expect(all(whole)).toMatchObject([{ kind: "text", text: "Hello.", whole: true, final: true }]);
});

test("words of a row leave the session as it is, and what is said of it does not", () => {
  const before = joined([said({ type: "text_delta", part: "a", delta: "one " })]);

  const words = receive(before, at(2, said({ type: "text_delta", part: "a", delta: "two" })));
  const named = receive(words, at(3, server({ type: "title", title: "Another" })));

  expect(session(words)).toBe(session(before));
  expect(session(named)).toMatchObject({ title: "Another" });
  expect(session(before)).not.toMatchObject({ title: "Another" });
});

test("each comparison of the files is news, also one that failed", () => {
  const before = joined([said({ type: "prompt_started" })]);
  const found = receive(before, at(2, said({ type: "changes_updated", revision: "r1" })));
  const other = receive(found, at(3, said({ type: "warning", message: "slow", scope: "git" })));
  const failed = receive(other, at(4, said({ type: "warning", message: "no", scope: "changes" })));

  expect(compared(before)).toBe("");
  expect(compared(found)).toBe("r1");
  expect(compared(other)).toBe("r1");
  expect(compared(failed)).not.toBe("r1");
});

test("what a host says of a pull request is news of what was handed in", () => {
  const told = { type: "pull_request", repository: "r0", number: 1, url: "u", state: "open" };
  const before = joined([server({ type: "title", title: "a" })]);
  const opened = receive(before, at(2, server(told)));
  const merged = receive(opened, at(3, server({ ...told, state: "merged" })));

  expect(new Set([before, opened, merged].map(handedIn)).size).toBe(3);
});

test("a piece that overtook another waits for it", () => {
  const first = at(1, said({ type: "text_delta", part: "a", delta: "one " }));
  const second = at(2, said({ type: "text_delta", part: "a", delta: "two" }));
  const start = receive(INITIAL, subscribed([], 0));

  const waits = receive(start, second);
  const both = receive(waits, first);

  expect(all(waits)).toEqual([]);
  expect(all(both)).toMatchObject([{ text: "one two" }]);
});

test("a tool call is one row from beginning to end", () => {
  const state = joined([
    said({
      type: "tool",
      call: "c",
      tool: "bash",
      status: "running",
      title: "List",
      input: { command: "ls" },
    }),
    said({
      type: "tool",
      call: "c",
      tool: "bash",
      status: "completed",
      output: "README.md",
      exitCode: 0,
    }),
  ]);

  expect(all(state)).toMatchObject([
    {
      kind: "tool",
      status: "completed",
      title: "List",
      input: { command: "ls" },
      output: "README.md",
      exitCode: 0,
      at: time(1),
      endedAt: time(2),
    },
  ]);
});

test("a prompt stands in front of the boot that it waits for, already before its turn", () => {
  const queued = { type: "prompt_queued", prompt: 1, author: "Ada", text: "go", model: "m" };
  const booting = joined([
    server(queued),
    server({ type: "sandbox_spawning", attempt: 1, boot: "fresh" }),
    bridge({ type: "boot_progress", phase: "setup", status: "started" }),
  ]);
  const running = receive(booting, at(4, server({ type: "prompt_dispatched", prompt: 1 })));

  expect(kinds(booting)).toEqual(["prompt turn/1", "boot boot/1"]);
  expect(kinds(running)).toEqual(["prompt turn/1", "boot boot/1"]);
  expect(turn(booting, 1)).toMatchObject({ status: "queued", text: "go" });
  expect(turn(running, 1)).toMatchObject({ status: "running", startedAt: time(4) });
  expect(queue(booting)).toEqual([]);
});

test("a prompt stands behind the rest that it has ended", () => {
  const rested = joined([
    server({ type: "prompt_dispatched", prompt: 1 }),
    server({ type: "prompt_finished", prompt: 1, status: "completed" }),
    server({ type: "sandbox_status", attempt: 1, status: "stopped", reason: "inactive" }),
    server({ type: "prompt_queued", prompt: 2, author: "Ada", text: "go", model: "m" }),
    server({ type: "sandbox_spawning", attempt: 2, boot: "resume" }),
  ]);

  expect(kinds(rested).slice(-3)).toEqual(["notice 3/0", "prompt turn/2", "boot boot/2"]);
});

test("a boot has its phases with how long they took and what a failing one said", () => {
  const state = joined([
    server({ type: "sandbox_spawning", attempt: 1, boot: "fresh" }),
    bridge({ type: "boot_progress", phase: "setup", status: "started", repository: "api" }),
    bridge({
      type: "boot_progress",
      phase: "setup",
      status: "failed",
      repository: "api",
      elapsedMs: 1_200,
      error: "exit 1",
      outputTail: "make: ***",
    }),
    server({ type: "sandbox_status", attempt: 1, status: "failed", error: "setup failed" }),
  ]);

  expect(all(state)[0]).toMatchObject({
    kind: "boot",
    boot: "fresh",
    status: "failed",
    error: "setup failed",
    phases: [
      {
        phase: "setup",
        repository: "api",
        status: "failed",
        startedAt: time(2),
        elapsedMs: 1_200,
        outputTail: "make: ***",
      },
    ],
  });
  expect(session(state)?.sandbox).toMatchObject({
    status: "failed",
    error: "setup failed",
    attempt: null,
  });
});

test("what a sandbox says behind its end counts for nothing", () => {
  const state = joined([
    server({ type: "sandbox_status", attempt: 1, status: "stopped", reason: "inactive" }),
    said({ type: "text", part: "a", text: "too late" }),
  ]);

  expect(all(state).map(({ kind }) => kind)).toEqual(["boot", "notice"]);
});

test("events of another age pass as unknown, and those that lack something break nothing", () => {
  const state = joined([
    said({ type: "from_the_future" }),
    said({ type: "text", part: "a" }),
    said({ type: "tool" }),
  ]);

  expect(all(state).map(({ kind }) => kind)).toEqual(["unknown", "unknown", "unknown"]);
});

test.each([
  { type: "todo", items: [null] },
  { type: "todo", items: [{ content: {} }] },
  { type: "todo", items: "all" },
  { type: "tool", call: "c", tool: "bash", status: "completed", title: 5 },
  { type: "tool", call: "c", tool: "bash", status: "completed", input: [1] },
  { type: "tool", call: "c", tool: "bash", status: "completed", output: {} },
  { type: "step_finished", cost: "1" },
  { type: "step_finished", tokens: { input: "1" } },
  { type: "warning", message: "m", scope: 1 },
  { type: "execution_complete", status: "completed", cost: "0.5" },
  { type: "constructor" },
  { type: "__proto__" },
])("what a sandbox makes up passes as unknown, and what comes next is shown: %j", (event) => {
  const next = { type: "text", part: "a", text: "Hello" };

  const state = joined([said(event), said(next)]);

  expect(all(state).map(({ kind }) => kind)).toEqual(["unknown", "text"]);
});

test("a turn's cost is that of its steps until the whole is said", () => {
  const step = said({
    type: "step_finished",
    cost: 0.25,
    tokens: { input: 3, output: 1, reasoning: 2, cache_read: 9 },
  });
  const running = joined([server({ type: "prompt_dispatched", prompt: 1 }), step, step]);
  const over = receive(
    running,
    at(4, server({ type: "prompt_finished", prompt: 1, status: "completed", cost: 0.6 })),
  );

  expect(turn(running, 1)).toMatchObject({
    cost: 0.5,
    tokens: { input: 6, output: 6, cached: 18 },
  });
  expect(turn(over, 1)).toMatchObject({ cost: 0.6, status: "completed", finishedAt: time(4) });
});

test("older pages go in front without another key for what is shown", () => {
  const frames = [1, 2, 3, 4].map((seq) =>
    at(seq, said({ type: "reasoning", part: `r${seq}`, text: "hm" })),
  );
  const newest = receive(INITIAL, subscribed(frames.slice(2), 4));

  const whole = receive(newest, { type: "page", frames: frames.slice(0, 2), tail: 4, more: false });

  expect(hasOlder(newest)).toBe(true);
  expect(hasOlder(whole)).toBe(false);
  expect(all(whole).slice(2)).toEqual(all(newest));
  expect(all(whole)[3]).toBe(all(newest)[1]);
});

test("what waits is in its order, and what was taken back is gone", () => {
  const queued = [1, 2, 3, 4].map((prompt) =>
    server({ type: "prompt_queued", prompt, author: "Ada", text: `prompt ${prompt}`, model: "m" }),
  );
  const state = joined([
    ...queued,
    server({ type: "prompt_dispatched", prompt: 1 }),
    server({ type: "prompt_finished", prompt: 3, status: "cancelled" }),
  ]);

  expect(queue(state).map(({ key, turn: known }) => [key, known?.text])).toEqual([
    ["turn/2", "prompt 2"],
    ["turn/4", "prompt 4"],
  ]);
  expect(session(state)).toMatchObject({ running: 1, unfinished: 3, prompts: 4 });
});

interface Told {
  readonly attempt: number | null;
  readonly event: Record<string, unknown> & { type: string };
}

function said(event: Told["event"]): Told {
  return bridge({ prompt: 1, ...event });
}

function bridge(event: Told["event"]): Told {
  return { attempt: 1, event };
}

function server(event: Told["event"]): Told {
  return { attempt: null, event };
}

function at(seq: number, { attempt, event }: Told): FrameMessage {
  return { type: "frame", seq, at: time(seq), attempt, items: [{ type: event.type, event }] };
}

function time(seq: number): string {
  return `2026-01-01T00:00:0${seq}.000Z`;
}

function joined(told: readonly Told[]): SessionState {
  const frames = told.map((one, index) => at(index + 1, one));
  return frames.reduce<SessionState>(receive, receive(INITIAL, subscribed([], 0)));
}

function subscribed(frames: FrameMessage[], tail: number): Message {
  return {
    type: "subscribed",
    session: VIEW,
    user: "ada",
    participants: [],
    frames,
    tail,
    more: false,
  };
}

function all(state: SessionState): Row[] {
  return [...allRows(state)];
}

function kinds(state: SessionState): string[] {
  return all(state).map(({ kind, key }) => `${kind} ${key}`);
}

test("files that are saved late are told at the end of their own turn", () => {
  const state = joined([
    {
      attempt: null,
      event: { type: "prompt_queued", prompt: 1, author: "Ada", text: "one", model: "demo/demo" },
    },
    { attempt: null, event: { type: "prompt_dispatched", prompt: 1 } },
    { attempt: null, event: { type: "prompt_finished", prompt: 1, status: "completed" } },
    {
      attempt: null,
      event: { type: "prompt_queued", prompt: 2, author: "Ada", text: "two", model: "demo/demo" },
    },
    { attempt: null, event: { type: "prompt_dispatched", prompt: 2 } },
    { attempt: null, event: { type: "snapshot_saved", attempt: 1, prompt: 1 } },
  ]);

  expect(all(state).map(({ key }) => key)).toEqual(["turn/1", "outcome/1", "turn/2"]);
  expect([turn(state, 1)?.saved, turn(state, 2)?.saved]).toEqual([true, false]);
});
