// @vitest-environment node

import { expect, test } from "vitest";
import { SessionConnection } from "../../src/connection/session";
import { FakeWorld } from "./world";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test("pings are often while a prompt runs, seldom when idle and rare when nobody looks", async () => {
  const { world, page } = await opened();
  const pings = async (milliseconds: number) => {
    const before = world.host.asked.get("ping") ?? 0;
    await world.clock.run(milliseconds);
    return (world.host.asked.get("ping") ?? 0) - before;
  };

  const idle = await pings(10 * MINUTE);
  page.send({ text: "go" });
  await world.clock.run(SECOND);
  world.host.step(0);
  const running = await pings(10 * MINUTE);
  world.show(false);
  const hidden = await pings(27 * MINUTE);

  expect(idle).toBe(10);
  expect(running).toBeGreaterThanOrEqual(28);
  expect(hidden).toBe(3);
});

test("a socket that died without a word is replaced, and a short loss is not spoken of", async () => {
  const { world, page } = await opened();
  const statuses: string[] = [];
  page.state.subscribe(({ connection }) => statuses.push(connection.status));

  world.cut(true);
  await world.clock.run(900);
  world.cut(false);
  await world.clock.run(2 * MINUTE);

  expect(world.dialled).toBe(3);
  expect(new Set(statuses.slice(0, 5))).toEqual(new Set(["open"]));
  expect(page.state.peek().connection.status).toBe("open");
});

test("after sleep a dead socket is found within seconds", async () => {
  const { world, page } = await opened();
  world.cut(false);
  world.clock.sleep(8 * 60 * MINUTE);

  await world.clock.run(12 * SECOND);

  expect(world.dialled).toBe(2);
  expect(page.state.peek().connection.status).toBe("open");
});

test("a page that comes back to the front asks whether its socket is still there", async () => {
  const { world } = await opened();
  world.show(false);
  await world.clock.run(MINUTE);
  world.cut(false);

  world.show(true);
  await world.clock.run(6 * SECOND);

  expect(world.dialled).toBe(2);
});

test("who is signed out is told so, and goes on after signing in", async () => {
  const { world, page } = await opened();
  world.signedIn = false;
  world.cut(true);
  await world.clock.run(MINUTE);
  const out = page.state.peek().connection.status;

  world.signIn();
  await world.clock.run(SECOND);

  expect(out).toBe("signed_out");
  expect(page.state.peek().connection.status).toBe("open");
});

test("a prompt is shown at once, survives a reload, and is asked for once", async () => {
  const { world, page } = await opened();
  world.cut(false);
  page.send({ text: "do it" });
  const shown = page.state.peek().pending.map(({ text }) => text);
  page.close();

  const reloaded = new SessionConnection(world, "s1");
  const kept = reloaded.state.peek().pending.map(({ text }) => text);
  await world.clock.run(MINUTE);

  expect(shown).toEqual(["do it"]);
  expect(kept).toEqual(["do it"]);
  expect(world.host.texts).toEqual(["do it"]);
  expect(reloaded.state.peek().pending).toEqual([]);
});

test("a prompt that is refused stays with the reason until it is dismissed", async () => {
  const { world, page } = await opened();
  const requestId = page.send({ text: "refuse me" });
  await world.clock.run(SECOND);
  const refused = page.state.peek().pending;

  page.dismiss(requestId);

  expect(refused).toMatchObject([{ text: "refuse me", refused: "not that" }]);
  expect(page.state.peek().pending).toEqual([]);
});

test("a session that has gone on for long while we slept begins with its newest page", async () => {
  const { world, page } = await opened();
  page.send({ text: "go" });
  await world.clock.run(SECOND);
  world.cut(false);
  for (let step = 0; step < 3_000; step += 1) {
    world.host.step(step === 0 ? 0 : 2);
  }

  await world.clock.run(2 * MINUTE);

  const { loaded, tail } = page.state.peek();
  expect(loaded?.last).toBe(tail);
  expect(loaded?.first).toBeGreaterThan(2_900);
});

test("a prompt too long for a socket is asked for over HTTP until it is taken", async () => {
  const { world, page } = await opened();
  const text = "long ".repeat(10_000);
  world.faults = 100;
  page.send({ text });
  await world.clock.run(SECOND);
  const unanswered = page.state.peek().pending.length;
  world.faults = 0;

  await world.clock.run(20 * SECOND);

  expect(unanswered).toBe(1);
  expect(page.state.peek().pending).toEqual([]);
  expect(world.host.texts).toEqual([text]);
  expect(world.dialled).toBe(1);
});

async function opened(): Promise<{ world: FakeWorld; page: SessionConnection }> {
  const world = new FakeWorld();
  const page = new SessionConnection(world, "s1");
  await world.clock.run(SECOND);
  return { world, page };
}
