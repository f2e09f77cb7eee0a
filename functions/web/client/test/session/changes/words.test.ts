// @vitest-environment node

import { describe, expect, test } from "vitest";
import type { ChangesView, SessionView } from "../../../src/protocol";
import { emptiness, isBehind, notes } from "../../../src/session/changes/words";
import { SESSION } from "../../fixtures/session";
import { changes, file, NEVER, repository } from "./view";

const SHOWN = changes([repository("tool", [file("a.py")])]);
const QUIET: SessionView = { ...SESSION, running: null, finished: 2 };
const STOPPED: SessionView = { ...QUIET, sandbox: { ...QUIET.sandbox, status: "stopped" } };

function texts(view: ChangesView, session: SessionView = QUIET, waiting: "no" | "yes" = "no") {
  return notes(view, session, waiting).map(({ text }) => text);
}

describe("beside the changes it is said", () => {
  test("nothing, when there is nothing to say", () => {
    expect(texts(SHOWN)).toEqual([]);
  });

  test("why the last comparison failed, and what is shown then", () => {
    const error = "it took longer than 180 s to compare the files";

    expect(texts({ ...SHOWN, error })).toEqual([
      `The last comparison failed: ${error}. What is shown is from before`,
    ]);
    expect(texts({ ...NEVER, error })).toEqual([`The last comparison failed: ${error}`]);
  });

  test("that something was left out", () => {
    expect(texts({ ...SHOWN, truncated: true })).toEqual([
      "There is too much to show all of it: files or their lines are left out",
    ]);
  });

  test("that the sandbox is gone, and that they stay", () => {
    expect(texts(SHOWN, STOPPED)).toEqual(["Sandbox stopped: this is what was handed in last"]);
  });

  test("that a turn runs", () => {
    expect(texts(SHOWN, { ...QUIET, running: 3 })).toEqual([
      "Prompt 3 runs: what it changes is shown when it is over",
    ]);
  });

  test("that the files are being compared", () => {
    expect(texts(SHOWN, { ...QUIET, finished: 3 }, "yes")).toEqual([
      "The files are being compared",
    ]);
  });

  test("that a turn has not been compared", () => {
    expect(texts(SHOWN, { ...QUIET, finished: 3 })).toEqual([
      "The files were not compared since prompt 3 ended",
    ]);
  });

  test("that the sandbox does not answer", () => {
    expect(notes(SHOWN, QUIET, "in vain").map(({ tone }) => tone)).toEqual(["warn"]);
  });
});

describe("where nothing is shown it is said", () => {
  test("that there is none yet", () => {
    expect(emptiness(NEVER, QUIET).title).toBe("No changes yet");
  });

  test("that the files are as they were", () => {
    expect(emptiness(changes([repository("tool", [])]), QUIET).title).toBe("No changes");
  });

  test("that nothing could be compared", () => {
    expect(emptiness({ ...NEVER, error: "git failed" }, QUIET).title).toBe(
      "Nothing could be compared yet",
    );
  });

  test("that there is no repository", () => {
    expect(emptiness(NEVER, { ...QUIET, repositories: [] }).title).toBe("Nothing to compare");
  });
});

test("changes are behind while the newest turn is not in them", () => {
  expect(isBehind(SHOWN, QUIET)).toBe(false);
  expect(isBehind(SHOWN, { ...QUIET, finished: 3 })).toBe(true);
  expect(isBehind(NEVER, { ...QUIET, finished: null })).toBe(false);
});
