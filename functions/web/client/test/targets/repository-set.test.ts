import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keyOf } from "../../src/targets/repository";
import {
  MOST_REPOSITORIES,
  moved,
  onBranch,
  problemWith,
  type RepositorySet,
  withAnother,
  without,
} from "../../src/targets/repository-set";

const [A, B, C] = ["a", "b", "c"].map((name) => chosen(`https://x.io/${name}`)) as [
  ReturnType<typeof chosen>,
  ReturnType<typeof chosen>,
  ReturnType<typeof chosen>,
];

function chosen(url: string) {
  return { url, branch: "", label: "" };
}

function urls(set: RepositorySet): string[] {
  return set.map(({ url }) => url);
}

test("one that is added is the last", () => {
  expect(withAnother([A], B)).toEqual([A, B]);
});

test("one that is moved changes places with its neighbour", () => {
  expect(moved([A, B, C], 2, -1)).toEqual([A, C, B]);
  expect(moved([A, B, C], 0, 1)).toEqual([B, A, C]);
});

test("at its end a set stays as it is", () => {
  expect(moved([A, B], 0, -1)).toEqual([A, B]);
  expect(moved([A, B], 1, 1)).toEqual([A, B]);
});

test("a branch is one repository's own", () => {
  expect(onBranch([A, B], 1, "dev")).toEqual([A, { ...B, branch: "dev" }]);
});

test.each([
  ["https://X.io/a.git", "It is there already."],
  ["https://other.io/a", "It would be in the same directory as a."],
  ["https://other.io/d", null],
])("of %s beside a it is said: %s", (url, expected) => {
  expect(problemWith([A, B], url)).toBe(expected);
});

test("there are no more than ten", () => {
  const ten = Array.from({ length: 10 }, (_, at) => chosen(`https://x.io/${at}`));

  expect(problemWith(ten, A.url)).toBe("There can be up to 10.");
  expect(withAnother(ten, A)).toEqual(ten);
});

type Step = { add: number } | { remove: number } | { move: number; by: -1 | 1 };

const AT = fc.nat(12);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ add: AT }),
  fc.record({ remove: AT }),
  fc.record({ move: AT, by: fc.constantFrom(-1 as const, 1 as const) }),
);

function taken(set: RepositorySet, step: Step): RepositorySet {
  if ("add" in step) return withAnother(set, chosen(`https://x.io/${step.add}`));
  if ("remove" in step) return without(set, step.remove);
  return moved(set, step.move, step.by);
}

test("whatever is done to a set, the server would take it", () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 60 }), (steps) => {
      const set = steps.reduce(taken, []);
      const keys = new Set(urls(set).map(keyOf));

      expect(keys.size).toBe(set.length);
      expect(set.length).toBeLessThanOrEqual(MOST_REPOSITORIES);
    }),
  );
});

test("moving loses nothing, and moving back is as before", () => {
  fc.assert(
    fc.property(fc.nat(8), (at) => {
      const set = Array.from({ length: 10 }, (_, place) => chosen(`https://x.io/${place}`));
      const there = moved(set, at, 1);

      expect(urls(there).sort()).toEqual(urls(set).sort());
      expect(moved(there, at + 1, -1)).toEqual(set);
    }),
  );
});
