import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Poll, poll } from "../../src/shell/polling";

let hidden = false;
let polling: Poll | undefined;

function turn(away: boolean): void {
  hidden = away;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
});

afterEach(() => {
  polling?.stop();
  vi.useRealTimers();
});

test("a page that is looked at asks at once and then after every pause", async () => {
  const ask = vi.fn(async () => {});

  polling = poll(ask, 4_000);
  await vi.advanceTimersByTimeAsync(8_000);

  expect(ask).toHaveBeenCalledTimes(3);
});

test("a hidden page asks nothing and asks at once when it is looked at again", async () => {
  const ask = vi.fn(async () => {});
  polling = poll(ask, 4_000);
  await vi.advanceTimersByTimeAsync(0);

  turn(true);
  await vi.advanceTimersByTimeAsync(60_000);
  const whileHidden = ask.mock.calls.length;
  turn(false);
  await vi.advanceTimersByTimeAsync(0);

  expect([whileHidden, ask.mock.calls.length]).toEqual([1, 2]);
});

test("a question that comes while another is open is asked after it, once", async () => {
  const answers: (() => void)[] = [];
  const ask = vi.fn(() => new Promise<void>((resolve) => answers.push(resolve)));
  polling = poll(ask, 4_000);

  polling.now();
  polling.now();
  const meanwhile = ask.mock.calls.length;
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(0);

  expect([meanwhile, ask.mock.calls.length]).toEqual([1, 2]);
});

test("a poll that was stopped asks no more", async () => {
  const ask = vi.fn(async () => {});
  polling = poll(ask, 4_000);
  await vi.advanceTimersByTimeAsync(0);

  polling.stop();
  turn(false);
  await vi.advanceTimersByTimeAsync(60_000);

  expect(ask).toHaveBeenCalledTimes(1);
});
