import { beforeEach, expect, test } from "vitest";
import { ApiError } from "../../src/api/errors";
import { type Asks, type Choice, createWarming, type Memory } from "../../src/home/warming";
import type { NewChoice } from "../../src/protocol";
import { session } from "../build";

const API = choice("api");
const CLI = choice("cli");

let calls: string[];
let failing: ApiError | null;
let kept: string | null;
let prompts: number;

const memory: Memory = {
  recall: () => kept,
  keep: (id) => {
    kept = id;
  },
};

const asks: Asks = {
  createSession: async (asked) => {
    calls.push(`create ${said(asked)}`);
    if (failing) throw failing;
    return session(`s${calls.length}`, { status: "created", prompts: 0 });
  },
  choose: async (id, asked) => {
    calls.push(`choose ${id} ${said(asked)}`);
    return session(id);
  },
  session: async (id) => {
    calls.push(`look ${id}`);
    return session(id, { status: "created", prompts });
  },
};

function choice(...urls: string[]): Choice {
  const repositories = urls.map((url) => ({ url, branch: null, label: "" }));
  return { work: { asked: { repositories }, version: null }, model: "demo", effort: null };
}

function shop(version: string): Choice {
  return { work: { asked: { environment: "shop" }, version }, model: "demo", effort: null };
}

function said({ repositories, environment }: NewChoice): string {
  return environment ?? (repositories?.map(({ url }) => url).join("+") || "nothing");
}

function warming() {
  let ids = 0;
  return createWarming(asks, memory, () => `r${++ids}`);
}

beforeEach(() => {
  calls = [];
  failing = null;
  kept = null;
  prompts = 0;
});

test("typing opens one session, however much is typed", async () => {
  const draft = warming();

  for (let letter = 0; letter < 20; letter += 1) draft.begin(API);
  const { id } = await draft.open(API);

  expect([id, calls]).toEqual(["s1", ["create api"]]);
});

test("another target is told to the session that is there, and only when it is another", async () => {
  const draft = warming();
  draft.begin(API);

  draft.choose(API);
  draft.choose(CLI);
  draft.choose(CLI);
  const { id } = await draft.open(CLI);

  expect([id, calls]).toEqual(["s1", ["create api", "choose s1 cli"]]);
});

test("a session is prepared for several, an environment and nothing alike", async () => {
  const draft = warming();
  draft.begin(choice("api", "cli"));

  draft.choose(choice("cli", "api"));
  draft.choose(shop("1"));
  draft.choose(choice());
  await draft.open(choice());

  expect(calls).toEqual([
    "create api+cli",
    "choose s1 cli+api",
    "choose s1 shop",
    "choose s1 nothing",
  ]);
});

test("an environment that was edited meanwhile is taken as it is now", async () => {
  const draft = warming();
  draft.begin(shop("1"));

  await draft.open(shop("2"));

  expect(calls).toEqual(["create shop", "choose s1 shop"]);
});

test("nothing is opened by choosing alone", () => {
  warming().choose(CLI);

  expect(calls).toEqual([]);
});

test("what was sent is not what the next draft gets", async () => {
  const draft = warming();
  await draft.open(API);

  draft.release();
  const { id: next } = await draft.open(API);

  expect([next, calls, kept]).toEqual(["s2", ["create api", "create api"], "s2"]);
});

test("a failure is not repeated by every letter, but by sending", async () => {
  const draft = warming();
  failing = new ApiError(503, "unavailable", "no");
  draft.begin(API);
  await settled();

  draft.begin(API);
  draft.begin(API);
  await settled();
  const tries = calls.length;
  failing = null;
  const { id } = await draft.open(API);

  expect([tries, id]).toEqual([1, "s2"]);
});

test("a session that can't be opened is told to whoever sends", async () => {
  failing = new ApiError(404, "not_found", "nothing answers there");

  await expect(warming().open(API)).rejects.toBe(failing);
});

test("after a reload the session that was being prepared is used again", async () => {
  kept = "before";

  const { id } = await warming().open(API);

  expect([id, calls]).toEqual(["before", ["look before", "choose before api"]]);
});

test("after a reload a session that was asked something is left alone", async () => {
  kept = "before";
  prompts = 1;

  const { id } = await warming().open(API);

  expect([id, calls]).toEqual(["s2", ["look before", "create api"]]);
});

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
