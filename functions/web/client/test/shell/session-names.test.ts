import { expect, test } from "vitest";
import { targetOf } from "../../src/shell/session-names";
import { environment, session } from "../build";

const { repositories } = environment("Shop", ["api", "web"]);
const unlabelled = repositories.map((each) => ({ ...each, label: "" }));

test.each([
  ["one", { repositories: unlabelled.slice(0, 1) }, "acme/api"],
  ["several", { repositories: unlabelled }, "acme/api, acme/web"],
  [
    "an environment",
    { repositories: unlabelled, environment: { id: "e", name: "Shop", deleted: null } },
    "Shop: acme/api, acme/web",
  ],
  ["nothing", { repositories: [] }, "No repository"],
])("a session of %s says so in a list", (_, part, words) => {
  expect(targetOf(session("s", part))).toBe(words);
});
