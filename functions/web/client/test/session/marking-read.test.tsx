import { cleanup, renderHook } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useMarkingRead } from "../../src/session/marking-read";
import { row, session } from "../build";
import { Refusal, Server } from "../http";

const PUT = "PUT /sessions/a/read";

let server: Server;

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server().on(PUT, () => row("a"));
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function look(connected = true) {
  const read = session("a", { finished: 4 });
  return renderHook((open: boolean) => useMarkingRead(read, open), { initialProps: connected });
}

function refusedOnce(): void {
  server.on(PUT, () => {
    server.on(PUT, () => row("a"));
    throw new Refusal(503, "unavailable");
  });
}

test("a finished turn that is looked at for a moment has been read, once", async () => {
  const shown = look();

  await vi.advanceTimersByTimeAsync(1_000);
  shown.rerender(false);
  shown.rerender(true);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(server.bodies(PUT)).toEqual([{ prompt: 4 }]);
});

test("what could not be marked is marked when the page is looked at again", async () => {
  refusedOnce();
  look();

  await vi.advanceTimersByTimeAsync(1_000);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(1_000);

  expect(server.times(PUT)).toBe(2);
});

test("what could not be marked is marked when the server is heard again", async () => {
  refusedOnce();
  const shown = look();

  await vi.advanceTimersByTimeAsync(1_000);
  shown.rerender(false);
  await vi.advanceTimersByTimeAsync(1_000);
  const meanwhile = server.times(PUT);
  shown.rerender(true);
  await vi.advanceTimersByTimeAsync(1_000);

  expect([meanwhile, server.times(PUT)]).toEqual([1, 2]);
});
