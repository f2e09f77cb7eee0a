import { expect, test } from "vitest";
import {
  initialTarget,
  inWords,
  NOTHING,
  onEnvironment,
  onRepositories,
  readTarget,
  type Target,
  workOn,
} from "../../src/home/target";
import { environment, repository } from "../build";

const API = { url: "https://example.com/api", branch: "b", label: "" };
const CLI = { url: "https://example.com/cli", branch: "", label: "/src/cli" };
const SHOP = environment("Shop", ["api", "web"]);

const ALL: [string, Target][] = [
  ["one", onRepositories([API])],
  ["several", onRepositories([CLI, API])],
  ["an environment", onEnvironment(SHOP)],
  ["nothing", NOTHING],
];

test.each(ALL)("%s, chosen last, is there again", (_, target) => {
  const kept = readTarget(JSON.parse(JSON.stringify(target)));

  expect(initialTarget(kept, [repository("web")], [SHOP])).toEqual({ target, gone: null });
});

test("an environment is called what it is called now", () => {
  const before = { kind: "environment", id: SHOP.id, name: "Store" } as const;

  expect(initialTarget(before, [], [SHOP]).target).toEqual(onEnvironment(SHOP));
});

test("an environment that is gone is told of, and the repository used last is there instead", () => {
  const found = initialTarget(onEnvironment(SHOP), [repository("web")], []);

  expect(found).toEqual({
    target: onRepositories([{ url: repository("web").url, branch: "", label: "" }]),
    gone: "Shop",
  });
});

test("while nobody says which environments there are, one stays chosen", () => {
  const found = initialTarget(onEnvironment(SHOP), [repository("web")], null);

  expect(found).toEqual({ target: onEnvironment(SHOP), gone: null });
});

test("who never chose gets the repository used last, on its branch", () => {
  const known = [repository("api", { branch: "develop" }), repository("cli")];

  const { target } = initialTarget(null, known, []);

  const first = { url: repository("api").url, branch: "develop", label: "" };
  expect(target).toEqual(onRepositories([first]));
});

test("who never chose, where nothing is known, has nothing chosen", () => {
  expect(initialTarget(null, [], []).target).toBeNull();
});

test("a registered repository keeps its label", () => {
  const known = repository("demo", { label: "/src/demo" });
  const target = onRepositories([{ url: known.url, branch: "", label: "" }]);

  expect(workOn(target, [known], null).asked).toEqual({
    repositories: [{ url: known.url, branch: null, label: "/src/demo" }],
  });
});

test("several are asked for in their order, on their branches", () => {
  expect(workOn(onRepositories([CLI, API]), [], null).asked).toEqual({
    repositories: [
      { url: CLI.url, branch: null, label: "/src/cli" },
      { url: API.url, branch: "b", label: "" },
    ],
  });
});

test("an environment is asked for by its id, and another version is another work", () => {
  const target = onEnvironment(SHOP);
  const [before, after] = ["1", "2"].map((version) => workOn(target, [], [{ ...SHOP, version }]));

  expect(before?.asked).toEqual({ environment: SHOP.id });
  expect(before).not.toEqual(after);
});

test("that there is nothing to work on is said", () => {
  expect(workOn(NOTHING, [repository("api")], null).asked).toEqual({ repositories: [] });
});

test.each([
  ["api", onRepositories([API])],
  ["cli, api", onRepositories([CLI, API])],
  ["Shop", onEnvironment(SHOP)],
  ["No repository", NOTHING],
])("a target is called %j", (words, target) => {
  expect(inWords(target)).toBe(words);
});

test("what was remembered when there was but one is still known", () => {
  const before = { url: API.url, branch: "b" };

  expect(readTarget(before)).toEqual(onRepositories([API]));
});

test.each([
  null,
  "x",
  {},
  { url: 1, branch: "" },
  { kind: "environment", id: 1, name: "x" },
  { kind: "repositories", set: [] },
  { kind: "repositories", set: [API, { url: 1 }] },
  { kind: "repositories", set: Array.from({ length: 11 }, () => API) },
])("%j is no target to remember", (kept) => {
  expect(readTarget(kept)).toBeNull();
});
