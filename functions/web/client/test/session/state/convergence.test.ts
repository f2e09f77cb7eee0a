// @vitest-environment node

import fc from "fast-check";
import { expect, test } from "vitest";
import type { FrameMessage, SessionView } from "../../../src/protocol";
import {
  allRows,
  INITIAL,
  type Message,
  queue,
  receive,
  type SessionState,
  session,
  turn,
} from "../../../src/session/state";
import { stories, VIEW } from "./story";

test("any delivery, doubled, out of order and from any page on, ends in the same page", () => {
  const deliveries = stories().chain((frames) =>
    fc.record({
      frames: fc.constant(frames),
      page: fc.tuple(fc.nat(frames.length), fc.nat(frames.length)),
      order: fc.shuffledSubarray(twice(frames), { minLength: frames.length * 2 }),
      early: fc.nat(frames.length),
    }),
  );

  fc.assert(
    fc.property(deliveries, ({ frames, page, order, early }) => {
      const [first, last] = [Math.min(...page), Math.max(...page)];
      const messages = [
        ...order.slice(0, early),
        subscribed(frames.slice(first, last), first, VIEW),
        ...order.slice(early),
      ];

      const state = messages.reduce(receive, INITIAL);

      expect(shown(state)).toEqual(shown(inOrder(frames)));
      expect(state.loose.size).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test("pages of any size, read backwards, end in the same page", () => {
  const paged = fc.tuple(stories(), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 90 }));

  fc.assert(
    fc.property(paged, ([frames, sizes]) => {
      let state = receive(INITIAL, subscribed([], frames.length, VIEW));
      for (let end = frames.length, index = 0; end > 0; index += 1) {
        const start = Math.max(0, end - (sizes[index] ?? 1));
        const older = frames.slice(start, end);
        state = receive(state, { type: "page", frames: older, tail: frames.length, more: true });
        end = start;
      }

      expect(shown(state)).toEqual(shown(inOrder(frames)));
    }),
    { numRuns: 200 },
  );
});

test("a view of any age within its page is brought up to date by what came since", () => {
  const joined = stories().chain((frames) =>
    fc.record({
      frames: fc.constant(frames),
      slots: fc.tuple(fc.nat(frames.length), fc.nat(frames.length), fc.nat(frames.length)),
    }),
  );

  fc.assert(
    fc.property(joined, ({ frames, slots }) => {
      const [first = 0, seen = 0, tail = 0] = [...slots].sort((a, b) => a - b);
      const view = session(inOrder(frames.slice(0, seen))) ?? VIEW;
      const messages = [
        subscribed(frames.slice(first, tail), first, settledIn(frames, seen, view)),
      ];

      const state = [...messages, ...frames.slice(tail)].reduce<SessionState>(receive, INITIAL);

      const {
        finished: _,
        unfinished: __,
        cost: ___,
        tokens: ____,
        ...header
      } = session(state) ?? VIEW;
      expect(session(inOrder(frames))).toMatchObject(header);
    }),
    { numRuns: 150 },
  );
});

test("a prompt of ours is shown once, whether a frame or the answer tells of it first", () => {
  const steps = fc.shuffledSubarray(["frame", "answer", "list"] as const, { minLength: 3 });

  fc.assert(
    fc.property(steps, (order) => {
      let state = receive(receive(INITIAL, subscribed([], 0, VIEW)), {
        type: "sent",
        prompt: PENDING,
      });
      for (const step of order) {
        state = receive(state, TELLS[step]);
        const inTimeline = [...allRows(state)].filter((row) => row.kind === "prompt").length;
        expect(inTimeline + queue(state).length).toBe(1);
      }
      expect(state.pending).toEqual([]);
    }),
  );
});

const PENDING = {
  requestId: "r1",
  text: "do it",
  attachments: [],
  model: null,
  effort: null,
  sentAt: "2026-01-01T00:00:00Z",
  behind: 0,
  number: null,
  refused: null,
};

const TELLS: Record<"frame" | "answer" | "list", Message> = {
  frame: {
    type: "frame",
    seq: 1,
    at: "2026-01-01T00:00:01Z",
    attempt: null,
    items: [
      {
        type: "prompt_queued",
        event: { type: "prompt_queued", prompt: 1, author: "Ada", text: "do it", model: "m" },
      },
    ],
  },
  answer: { type: "prompt_accepted", requestId: "r1", prompt: 1 },
  list: {
    type: "prompts",
    prompts: [
      {
        number: 1,
        status: "queued",
        author: { name: "Ada", email: "ada@example.com" },
        user: "ada",
        text: "do it",
        attachments: [],
        model: "m",
        effort: null,
        createdAt: "2026-01-01T00:00:01Z",
        finishedAt: null,
        error: null,
        branch: null,
        commit: null,
        cost: 0,
        tokens: { input: 0, output: 0, cached: 0 },
      },
    ],
  },
};

function inOrder(frames: readonly FrameMessage[]): SessionState {
  return frames.reduce<SessionState>(receive, receive(INITIAL, subscribed([], 0, VIEW)));
}

function subscribed(frames: FrameMessage[], before: number, view: SessionView): Message {
  return {
    type: "subscribed",
    session: view,
    user: "ada",
    participants: [],
    frames,
    tail: before + frames.length,
    more: false,
  };
}

/** The newest prompt that had its turn by then, as the server's view says it. */
function settledIn(frames: readonly FrameMessage[], seen: number, view: SessionView): SessionView {
  const over = frames
    .slice(0, seen)
    .flatMap(({ items }) => items.map(({ event }) => event))
    .filter((event) => event.type === "prompt_finished" && event.status !== "cancelled")
    .map((event) => event as { prompt: number; status: string });
  const newest = over.toSorted((one, other) => one.prompt - other.prompt).at(-1);
  return { ...view, finished: newest?.prompt ?? null, outcome: newest?.status ?? null };
}

function twice(frames: readonly FrameMessage[]): FrameMessage[] {
  return [...frames, ...frames];
}

function shown(state: SessionState) {
  const turns = Array.from({ length: 100 }, (_, number) => turn(state, number));
  return { rows: [...allRows(state)], turns, queue: queue(state), gap: state.loaded?.gap };
}
