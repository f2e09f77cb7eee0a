// @vitest-environment node

import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ApiError } from "../../src/api";
import { SessionConnection } from "../../src/connection/session";
import {
  allRows,
  INITIAL,
  type Message,
  queue,
  receive,
  type SessionState,
  session,
  turn,
} from "../../src/session/state";
import { FakeWorld } from "./world";

const MINUTE = 60_000;

const acts = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant("step"), amount: fc.noBias(fc.nat(7)) }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant("wait"), amount: fc.noBias(fc.nat(30_000)) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom(
        "send",
        "cancel",
        "stop",
        "cut",
        "die",
        "offline",
        "online",
        "hide",
        "show",
        "sleep",
        "reload",
        "older",
        "sign out",
        "sign in",
      ),
      amount: fc.noBias(fc.nat(30_000)),
    }),
  },
);

test("when it is quiet again the page is the server's, whatever happened before", async () => {
  const stories = fc.record({
    seed: fc.integer(),
    faults: fc.constantFrom(0, 5, 25),
    story: fc.array(acts, { minLength: 5, maxLength: 80, size: "max" }),
  });

  await fc.assert(
    fc.asyncProperty(stories, async ({ seed, faults, story }) => {
      const world = new FakeWorld(seed);
      world.faults = faults;
      const sent: string[] = [];
      let page = new SessionConnection(world, "s1");
      for (const { act, amount } of story) {
        page = await perform(world, page, act, amount, sent);
        await world.clock.run(amount % 50);
      }

      world.faults = 0;
      world.connect(true);
      world.show(true);
      if (!world.signedIn) {
        world.signIn();
      }
      await world.clock.run(3 * MINUTE);
      await readToTheBeginning(world, page);

      const state = page.state.peek();
      expect(state.connection.status).toBe("open");
      expect(state.pending).toEqual([]);
      expect(world.host.texts).toEqual(sent);
      expect(shown(state)).toEqual(shown(wholeOf(world)));
      page.close();
    }),
    { numRuns: 150 },
  );
});

test("a prompt that was refused is still there after a reload, and is not sent by itself", async () => {
  const world = new FakeWorld();
  const submit = vi.spyOn(world.host, "submit").mockImplementation(() => {
    throw new ApiError(409, "rejected", "it is archived");
  });
  const before = new SessionConnection(world, "s1");
  await world.clock.run(1_000);
  const requestId = before.send({ text: "a long thought" });
  await world.clock.run(1_000);
  before.close();
  submit.mockReset();

  const page = new SessionConnection(world, "s1");
  await world.clock.run(1_000);
  const restored = page.state.peek().pending;
  const sentAlone = submit.mock.calls.length;
  page.dismiss(requestId);
  page.close();

  expect(restored).toMatchObject([{ text: "a long thought", refused: "it is archived" }]);
  expect(sentAlone).toBe(0);
  expect(world.stored.size).toBe(0);
});

test("who has signed out watches no longer, until somebody signs in again", async () => {
  const world = new FakeWorld();
  const page = new SessionConnection(world, "s1");
  await world.clock.run(1_000);
  const before = world.wires.size;

  world.signOut();
  await world.clock.run(MINUTE);
  const out = [world.wires.size, page.state.peek().connection.status];
  world.signIn();
  await world.clock.run(1_000);

  expect(before).toBe(1);
  expect(out).toEqual([0, "signed_out"]);
  expect([world.wires.size, page.state.peek().connection.status]).toEqual([1, "open"]);
  page.close();
});

async function perform(
  world: FakeWorld,
  page: SessionConnection,
  act: string,
  amount: number,
  sent: string[],
): Promise<SessionConnection> {
  switch (act) {
    case "step":
      world.host.step(amount);
      break;
    case "wait":
      await world.clock.run(amount);
      break;
    case "send":
      sent.push(`prompt ${sent.length}`);
      page.send({ text: `prompt ${sent.length - 1}` });
      break;
    case "cancel":
      page.cancel(1 + (amount % 5)).catch(() => {});
      break;
    case "stop":
      page.stop().catch(() => {});
      break;
    case "cut":
    case "die":
      world.cut(act === "cut");
      break;
    case "offline":
    case "online":
      world.connect(act === "online");
      break;
    case "hide":
    case "show":
      world.show(act === "show");
      break;
    case "sleep":
      world.clock.sleep(amount * 100);
      break;
    case "older":
      page.loadOlder().catch(() => {});
      break;
    case "sign out":
      world.signedIn = false;
      break;
    case "sign in":
      world.signIn();
      break;
    case "reload":
      page.close();
      return new SessionConnection(world, "s1");
  }
  return page;
}

async function readToTheBeginning(world: FakeWorld, page: SessionConnection): Promise<void> {
  for (let read = 0; read < 50 && (page.state.peek().loaded?.first ?? 1) > 1; read += 1) {
    void page.loadOlder();
    await world.clock.run(1_000);
  }
}

/** All that the server has, read in its order. */
function wholeOf({ host }: FakeWorld): SessionState {
  const joined: Message = {
    type: "subscribed",
    session: host.view(),
    user: "ada",
    participants: [],
    frames: [],
    tail: 0,
    more: true,
  };
  const listed: Message = { type: "prompts", prompts: host.prompts };
  const told = [joined, ...host.log, listed].reduce<SessionState>(receive, INITIAL);
  return { ...told, viewedAt: host.log.length };
}

function shown(state: SessionState) {
  const turns = Array.from({ length: 40 }, (_, number) => {
    const known = turn(state, number);
    return known && { ...known, effort: null, user: null, finishedAt: null, queuedAt: null };
  });
  return { rows: [...allRows(state)], turns, queue: queue(state).length, session: session(state) };
}
