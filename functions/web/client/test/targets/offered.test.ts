import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../src/api/errors";
import { staleness } from "../../src/targets/freshness";
import { createOffered, MOST_LISTED, type Offered } from "../../src/targets/offered";
import { said } from "../../src/targets/offered-note";
import { repositoryOptions } from "../../src/targets/options";
import { offeredRepository, repository } from "../build";

const AT = "2026-11-30T12:00:00Z";
const NOW = Date.parse(AT);
const MINUTE = 60_000;

let asked: string[];
let listed: number;
let failing: ApiError | null;
let now: number;

function offered() {
  return createOffered(
    async (query) => {
      asked.push(query);
      if (failing) throw failing;
      const names = query ? [query] : Array.from({ length: listed }, (_, at) => `r${at}`);
      return { repositories: names.map(offeredRepository), asOf: AT, problems: [] };
    },
    () => now,
  );
}

function silent(listedAt: string | null) {
  return { host: "git.example.com", message: "it is down", listedAt, retryAt: null };
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  listed = 2;
  failing = null;
  now = NOW;
});

afterEach(() => {
  vi.useRealTimers();
});

async function settled(): Promise<void> {
  await vi.runAllTimersAsync();
}

test("the hosts are asked when a list opens, and not again for a while", async () => {
  const list = offered();

  list.search("");
  expect(list.state.value.busy).toBe(true);
  await settled();
  list.search("");
  now += MINUTE;
  list.search("");
  await settled();

  expect(asked).toEqual(["", ""]);
  expect(list.state.value).toMatchObject({ busy: false, asOf: AT, problem: null });
  expect(list.state.value.found.map(({ fullName }) => fullName)).toEqual(["acme/r0", "acme/r1"]);
});

test("what is typed is asked for only where there may be more", async () => {
  const list = offered();
  list.search("");
  await settled();

  list.search("api");
  await settled();
  expect(asked).toEqual([""]);

  listed = MOST_LISTED;
  await list.again();
  for (const text of ["a", "ap", "api"]) list.search(text);
  await settled();

  expect(asked).toEqual(["", "", "api"]);
  expect(list.state.value.found).toEqual([offeredRepository("api")]);
  list.search("");
  expect(list.state.value.found).toHaveLength(MOST_LISTED);
});

test("a failure is told, what was known stays, and somebody can ask again", async () => {
  const list = offered();
  list.search("");
  await settled();
  failing = new ApiError(503, "unavailable", "GitHub does not answer now");

  await list.again();
  expect(list.state.value).toMatchObject({ busy: false, problem: "GitHub does not answer now" });
  expect(list.state.value.found).toHaveLength(2);
  failing = null;
  await list.again();

  expect(list.state.value.problem).toBeNull();
});

test("a repository that is remembered is not offered a second time", () => {
  const options = repositoryOptions([repository("api")], ["api", "web"].map(offeredRepository));

  expect(options.map(({ label, group }) => [label, group])).toEqual([
    ["acme/api", "Used before"],
    ["acme/web", "At the code hosts"],
  ]);
});

test("a list is old when the server could have had a newer one", () => {
  expect(staleness(AT, NOW + 5 * MINUTE)).toBeNull();
  expect(staleness(AT, NOW + 40 * MINUTE)).toContain("40m ago");
  expect(staleness(null, NOW)).toBeNull();
});

test.each<[string, Partial<Offered>, string | null]>([
  ["an empty list", {}, "The code hosts offer nothing here."],
  ["no list yet", { asOf: null }, null],
  ["some", { found: [offeredRepository("api")] }, null],
  [
    "more than are listed",
    { found: Array.from({ length: MOST_LISTED }, (_, at) => offeredRepository(`r${at}`)) },
    "There are more at the code hosts: search for them.",
  ],
  [
    "a host that does not answer",
    { found: [offeredRepository("api")], silent: [silent(null)] },
    "git.example.com does not answer (it is down). Nothing of it is listed.",
  ],
  [
    "a host that answered a while ago",
    { silent: [silent(new Date(NOW - 40 * MINUTE).toISOString())] },
    "git.example.com does not answer (it is down). Its list is as it was 40m ago.",
  ],
  [
    "an old list",
    { asOf: new Date(NOW - 40 * MINUTE).toISOString() },
    "The code host does not answer. This is how it was 40m ago.",
  ],
])("of %s it is said: %s", (_, part, words) => {
  const state = { found: [], asOf: AT, silent: [], busy: false, problem: null, ...part };

  expect(said(state, NOW)).toBe(words);
});
