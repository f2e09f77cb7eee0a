import { expect, test } from "vitest";
import {
  branchProblem,
  chosenOfView,
  directoryOf,
  isRepositoryUrl,
  keyOf,
} from "../../src/targets/repository";
import { environment } from "../build";

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

test.each([
  "https://GitHub.com/acme/api",
  "https://github.com:443/acme/api.git",
  "https://ada@github.com/acme/api/",
])("%s is the repository https://github.com/acme/api", (url) => {
  expect(keyOf(url)).toBe(keyOf("https://github.com/acme/api"));
});

test.each([
  ["https://github.com/acme/api.git", "api"],
  ["https://example.com/a/b.c-d/", "b.c-d"],
  ["https://example.com/a/.dots.", "dots"],
])("%s is cloned to %s", (url, directory) => {
  expect(directoryOf(url)).toBe(directory);
});

test("a repository of an environment has a label only if it is not its address", () => {
  const [api] = environment("Shop", ["api"]).repositories.map(chosenOfView);

  expect(api).toEqual({ url: "https://github.com/acme/api.git", branch: "", label: "" });
});
