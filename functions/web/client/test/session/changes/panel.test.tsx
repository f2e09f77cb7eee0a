import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SessionView } from "../../../src/protocol";
import { ChangesPanel } from "../../../src/session/changes/panel";
import { SESSION } from "../../fixtures/session";
import { Refusal, Server } from "../../http";
import { changes, file, NEVER, repository } from "./view";

const LISTING = `GET /sessions/${SESSION.id}/changes`;
const QUIET: SessionView = { ...SESSION, running: null, finished: 2 };
const STOPPED: SessionView = { ...QUIET, sandbox: { ...QUIET.sandbox, status: "stopped" } };
const SHOWN = changes([repository("tool", [file("a.py", { additions: 3, deletions: 2 })])]);

const fetched = globalThis.fetch;
let server: Server;

beforeEach(() => {
  server = new Server();
});
afterEach(() => {
  cleanup();
  globalThis.fetch = fetched;
});

function show(session = QUIET, compared = "") {
  const handle = { current: null };
  const panel = (news: string, now: SessionView) => (
    <ChangesPanel session={now} compared={news} handle={handle} />
  );
  const { rerender } = render(panel(compared, session));
  return (news: string, now = session) => rerender(panel(news, now));
}

test("while nothing is known it says that it loads", () => {
  server.on(LISTING, () => new Promise(() => undefined));
  show();

  expect(screen.getByRole("status", { name: "Loading the changes" })).toBeTruthy();
});

test("how much is changed is told, and as of when", async () => {
  server.on(LISTING, () => SHOWN);
  show();

  const sum = (await screen.findByText("1 file")).closest("p");
  expect(sum?.textContent).toMatch(/^1 file \+3 added−2 removed As of .*, after prompt 2$/);
});

test("a failure to load says why, and can be tried again", async () => {
  server.on(LISTING, () => {
    throw new Refusal(503, "unavailable");
  });
  show();
  expect((await screen.findByRole("alert")).textContent).toContain("refused");

  server.on(LISTING, () => SHOWN);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("1 file")).toBeTruthy();
});

test("a failure to renew leaves what was there", async () => {
  server.on(LISTING, () => SHOWN);
  const news = show();
  await screen.findByText("1 file");
  server.on(LISTING, () => {
    throw new Refusal(503, "unavailable");
  });

  news("r2");

  expect(await screen.findByText("The newest can't be shown: refused")).toBeTruthy();
  expect(screen.getByText("1 file")).toBeTruthy();
});

test("another comparison is fetched as soon as it is told of", async () => {
  server.on(LISTING, () => NEVER);
  const news = show({ ...QUIET, finished: null });
  await screen.findByText("No changes yet");
  server.on(LISTING, () => SHOWN);

  news("r1");

  expect(await screen.findByText("1 file")).toBeTruthy();
});

test("a turn that is over and not compared is waited for", async () => {
  server.on(LISTING, () => SHOWN);
  show({ ...QUIET, finished: 3 });

  expect(await screen.findByText("The files are being compared")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Compare again" }).getAttribute("aria-busy")).toBe(
    "true",
  );
});

test("nobody waits for a sandbox that is gone, or asks it", async () => {
  server.on(LISTING, () => SHOWN);
  show({ ...STOPPED, finished: 3 });

  expect(await screen.findByText("The files were not compared since prompt 3 ended")).toBeTruthy();
  expect(screen.getByText("Sandbox stopped: this is what was handed in last")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Compare again" })).toBeNull();
});

test("what can't be compared says why", async () => {
  server.on(LISTING, () => ({ ...NEVER, error: "git failed" }));
  show();

  expect(await screen.findByText("The last comparison failed: git failed")).toBeTruthy();
  expect(screen.getByText("Nothing could be compared yet")).toBeTruthy();
});

test("what is asked of the sandbox and refused says why", async () => {
  server.on(LISTING, () => SHOWN);
  show();
  server.on(`POST /sessions/${SESSION.id}/changes/refresh`, () => {
    throw new Refusal(409, "rejected");
  });

  fireEvent.click(await screen.findByRole("button", { name: "Compare again" }));

  expect(await screen.findByText("The sandbox can't be asked: refused")).toBeTruthy();
});
