import { describe, expect, test } from "vitest";
import {
  AT_THE_END,
  endsOf,
  grew,
  growth,
  left,
  scrolled,
  settled,
} from "../../../src/session/timeline/reading";

const PAGE = { viewport: 500, size: 2_000 };
const END = { ...PAGE, offset: 1_500 };
const FOLLOWING = settled(AT_THE_END, END);

function list(...keys: string[]) {
  return {
    length: keys.length,
    at: (index: number) => (keys[index] ? { key: keys[index] } : undefined),
  };
}

describe("a reader at the end", () => {
  test("goes on following when rows are added below", () => {
    const grown = grew(FOLLOWING, 3);

    expect(grown).toEqual(FOLLOWING);
  });

  test("stops following when going up", () => {
    const reading = scrolled(FOLLOWING, { ...PAGE, offset: 900 }, true);

    expect(reading.follows).toBe(false);
  });

  test("stops following when a search in the page goes up", () => {
    const reading = scrolled(FOLLOWING, { ...PAGE, offset: 900 }, false);

    expect(reading.follows).toBe(false);
  });

  test("goes on following when rows above turn out to be smaller", () => {
    const reading = scrolled(FOLLOWING, { viewport: 500, size: 1_900, offset: 1_200 }, false);

    expect(reading.follows).toBe(true);
  });

  test("goes on following when what is below got longer", () => {
    const reading = scrolled(FOLLOWING, { viewport: 500, size: 2_600, offset: 1_500 }, true);

    expect(reading.follows).toBe(true);
  });
});

describe("a reader elsewhere", () => {
  const elsewhere = left(FOLLOWING);

  test("is told how much is new", () => {
    expect(grew(grew(elsewhere, 2), 3).missed).toBe(5);
  });

  test("stays there while scrolling", () => {
    expect(scrolled(elsewhere, { ...PAGE, offset: 1_000 }, true).follows).toBe(false);
  });

  test("follows again at the end, and has missed nothing", () => {
    const reading = scrolled(grew(elsewhere, 4), END, true);

    expect([reading.follows, reading.missed]).toEqual([true, 0]);
  });
});

describe("what was added", () => {
  const before = endsOf(list("c", "d"));

  test.each([
    [list("c", "d"), { above: 0, below: 0 }],
    [list("c", "d", "e", "f"), { above: 0, below: 2 }],
    [list("a", "b", "c", "d"), { above: 2, below: 0 }],
    [list("a", "b", "c", "d", "e"), { above: 2, below: 1 }],
    [list("x", "y", "z"), { above: 0, below: 0 }],
  ])("is told apart by the keys at the ends", (rows, expected) => {
    expect(growth(before, rows)).toEqual(expected);
  });
});
