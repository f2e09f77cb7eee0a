import { expect, test } from "vitest";
import { initials } from "../../src/design/avatar";
import { ago } from "../../src/design/relative-time";
import { phaseLabel, sandboxStatus, sessionStatus } from "../../src/design/status";
import { repositoryName, workOf } from "../../src/shell/session-names";
import { session } from "../build";

test.each([
  ["Ada Lovelace", "AL"],
  ["ada", "AD"],
  ["Jean-Luc de Picard", "JP"],
  ["", "?"],
  ["李 明", "李明"],
])("the initials of %j are %s", (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test.each([
  [-5_000, "now"],
  [59_000, "now"],
  [60_000, "1m"],
  [3_600_000, "1h"],
  [26 * 3_600_000, "1d"],
  [15 * 86_400_000, "2w"],
  [400 * 86_400_000, "1y"],
])("%d ms ago is %s", (distance, expected) => {
  expect(ago(0, distance)).toBe(expected);
});

test("statuses and phases have the words that people know", () => {
  expect([sessionStatus("created").label, sandboxStatus("snapshotting").label]).toEqual([
    "Draft",
    "Saving...",
  ]);
  expect(phaseLabel("setup", "acme/api")).toBe("Running setup.sh for acme/api");
});

test("a status that is newer than the page is shown as it is", () => {
  expect(sessionStatus("paused").label).toBe("paused");
});

test.each([
  ["https://github.com/acme/api.git", "", "acme/api"],
  ["https://gitlab.com/a/b/c/", "", "a/b/c"],
  ["http://127.0.0.1:4702/abc/demo", "/src/demo", "demo"],
])("%s is called %s%s", (url, label, expected) => {
  expect(repositoryName({ url, label, name: "demo" })).toBe(expected);
});

test("a session that boots says in which phase it is", () => {
  const { sandbox } = session("a");
  const booting = { ...sandbox, status: "connecting", phase: "setup" };

  expect(workOf(session("a", { status: "active", sandbox: booting })).label).toBe(
    "Running setup.sh",
  );
});

test("a session whose last turn was stopped says so, and that nothing has failed", () => {
  const stopped = workOf(session("a", { status: "completed", outcome: "stopped" }));

  expect([stopped.label, stopped.tone]).toEqual(["Stopped", "neutral"]);
});

test.each(["active", "failed", "archived"])("a session that is %s says that first", (status) => {
  const other = session("a", { status, sandbox: { ...session("a").sandbox, status: "ready" } });

  expect(workOf({ ...other, outcome: "stopped" }).label.toLowerCase()).toBe(status);
});

test("a held queue is said before anything else", () => {
  expect(workOf(session("a", { status: "active", held: true })).label).toBe("Queue is held");
});
