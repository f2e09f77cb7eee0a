import { expect, test } from "vitest";
import {
  branchProblem,
  initialTarget,
  isRepositoryUrl,
  newRepository,
  readTarget,
} from "../../src/home/target";
import { repository } from "../build";

test.each([
  ["https://github.com/acme/api", true],
  ["http://127.0.0.1:4702/x/demo", true],
  ["http://github.com/acme/api", false],
  ["https://github.com/", false],
  ["git@github.com:acme/api.git", false],
  ["acme", false],
])("%s is a repository's address: %s", (text, expected) => {
  expect(isRepositoryUrl(text)).toBe(expected);
});

test.each(["", "main", "feature/x_1", "v1.2+3"])("a branch may be called %j", (branch) => {
  expect(branchProblem(branch)).toBeNull();
});

test.each(["-x", "a b", "/a", "a~1", "x".repeat(201)])("no branch is called %j", (branch) => {
  expect(branchProblem(branch)).not.toBeNull();
});

test("the target chosen last is there again", () => {
  const remembered = { url: "https://example.com/a", branch: "b" };

  expect(initialTarget(remembered, [repository("api")])).toEqual(remembered);
});

test("who never chose gets the repository used last, on its branch", () => {
  const known = [repository("api", { branch: "develop" }), repository("cli")];

  expect(initialTarget(null, known)).toEqual({ url: known[0]?.url, branch: "develop" });
});

test("a registered repository keeps its label", () => {
  const known = repository("demo", { label: "/src/demo" });

  expect(newRepository({ url: known.url, branch: "" }, [known])).toEqual({
    url: known.url,
    branch: null,
    label: "/src/demo",
  });
});

test.each([null, "x", {}, { url: 1, branch: "" }])("%j is no target to remember", (kept) => {
  expect(readTarget(kept)).toBeNull();
});
