import { describe, expect, test } from "vitest";
import { news } from "../../src/session/announcements";
import { sandboxWords } from "../../src/session/header/sandbox-words";
import { canStop, fetchCommand, splitQueue, willWait } from "../../src/session/standing";
import { REPOSITORY, SESSION } from "../fixtures/session";

const IDLE = { ...SESSION, status: "completed", running: null, unfinished: 0 };
const SANDBOX = SESSION.sandbox;

describe("a prompt that is sent now", () => {
  test("has its turn at once when nothing is before it", () => {
    expect(willWait(IDLE)).toBeNull();
  });

  test("will be queued behind what runs", () => {
    expect(willWait(SESSION)).toBe("Will be queued behind the running turn");
  });

  test("will be queued while another waits for its sandbox", () => {
    expect(willWait({ ...IDLE, unfinished: 1 })).toBe("Will be queued");
  });

  test("will be queued while the queue is held", () => {
    expect(willWait({ ...IDLE, held: true })).toBe("Will be queued: the queue is held");
  });

  test("is shown in the timeline only when it does not wait", () => {
    const mine = { pending: {} };
    const told = { pending: null };

    expect(splitQueue(IDLE, [mine])).toEqual({ sending: mine, waiting: [] });
    expect(splitQueue(SESSION, [mine])).toEqual({ sending: null, waiting: [mine] });
    expect(splitQueue(IDLE, [told])).toEqual({ sending: null, waiting: [told] });
  });
});

describe("Stop", () => {
  test.each([
    [SESSION, true],
    [IDLE, false],
    [{ ...IDLE, unfinished: 1 }, true],
    [{ ...IDLE, unfinished: 1, held: true }, false],
    [{ ...SESSION, status: "cancelled" }, false],
  ])("is there when there is something to stop", (session, expected) => {
    expect(canStop(session)).toBe(expected);
  });
});

describe("the header's sandbox", () => {
  test.each([
    ["sync", null, "Cloning repository"],
    ["setup", "acme/ledger", "Running setup.sh"],
    ["harness", null, "Starting agent"],
  ])("names the phase of its boot: %s", (phase, repository, words) => {
    const sandbox = { ...SANDBOX, status: "connecting", phase, repository };

    expect(sandboxWords({ ...SESSION, sandbox }).label).toBe(words);
  });

  test("names the repository where there are several", () => {
    const sandbox = { ...SANDBOX, status: "connecting", phase: "setup", repository: "acme/api" };
    const session = { ...SESSION, sandbox, repositories: [REPOSITORY, REPOSITORY] };

    expect(sandboxWords(session).label).toBe("Running setup.sh for acme/api");
  });

  test("is a status once the boot is over, whatever phase it was in last", () => {
    const sandbox = { ...SANDBOX, status: "stopped", phase: "harness" };

    expect(sandboxWords({ ...SESSION, sandbox }).label).toBe("Stopped");
  });
});

test("the command that gets a branch can't be turned into an option of git", () => {
  expect(fetchCommand("/srv/my repo", "outboard/abc")).toBe(
    "git fetch '/srv/my repo' outboard/abc",
  );
  expect(fetchCommand("--upload-pack=x", "b")).toBe("git fetch -- --upload-pack=x b");
});

describe("what is said aloud", () => {
  const before = {
    session: "s",
    sandbox: "Cloning repository",
    running: null,
    finished: 1,
    outcome: "stopped",
  };

  test.each([
    [{ ...before, sandbox: "Starting agent" }, "Sandbox: Starting agent"],
    [{ ...before, running: 2 }, "Prompt 2 runs"],
    [before, null],
    [{ ...before, session: "t", sandbox: "Ready" }, null],
  ])("is a new phase, and a turn that begins", (now, words) => {
    expect(news(before, now)).toBe(words);
  });

  test("is how a turn came out", () => {
    const running = { ...before, running: 2 };

    const over = { ...before, finished: 2 };

    expect(news(running, { ...over, outcome: "completed" })).toBe("Prompt 2 is finished");
    expect(news(running, { ...over, outcome: "failed" })).toBe("Prompt 2 failed");
    expect(news(running, { ...over, outcome: "stopped" })).toBe("Prompt 2 was stopped");
  });

  test("is not how another turn came out", () => {
    expect(news({ ...before, running: 2 }, before)).toBe("Prompt 2 is finished");
  });
});
