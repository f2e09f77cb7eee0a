import { afterEach, expect, test, vi } from "vitest";
import { BROWSER } from "../../src/connection/browser";
import { tabMemory } from "../../src/home/warming";

afterEach(vi.unstubAllGlobals);

test("a tab remembers until it is told to forget", () => {
  BROWSER.keep("outboard.a", "one");
  const kept = BROWSER.load("outboard.a");
  BROWSER.keep("outboard.a", null);

  expect([kept, BROWSER.load("outboard.a")]).toEqual(["one", null]);
});

test("a browser that keeps nothing, or no more, stops nobody", () => {
  const refuse = () => {
    throw new DOMException("no", "QuotaExceededError");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });

  BROWSER.keep("outboard.a", "one");
  tabMemory.keep("s1");

  expect([BROWSER.load("outboard.a"), tabMemory.recall()]).toEqual([null, null]);
});
