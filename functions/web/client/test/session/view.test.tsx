import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionActions } from "../../src/session/actions";
import { receive, type SessionState, session } from "../../src/session/state";
import { View } from "../../src/session/view";
import { cramped } from "../../src/shell/drawer";
import { listenForShortcuts } from "../../src/shell/shortcuts";
import { heard } from "../fixtures/heard";
import { SESSION } from "../fixtures/session";

const actions = {
  loadOlder: vi.fn(),
  send: vi.fn(),
  sendAgain: vi.fn(),
  dismiss: vi.fn(),
  cancelPrompt: vi.fn(),
  stop: vi.fn(),
  resumeQueue: vi.fn(),
  typing: vi.fn(),
  rename: vi.fn(),
  restore: vi.fn(),
  cancelSession: vi.fn(),
  saveFiles: vi.fn(),
} satisfies SessionActions;

let deaf = () => {};

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("nobody is asked here")));
  localStorage.clear();
  cramped.value = false;
  deaf = listenForShortcuts();
});

afterEach(() => {
  deaf();
  cleanup();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

function show(state: SessionState = heard()) {
  const shown = session(state);
  if (shown === null) {
    throw new Error("nothing was heard");
  }
  return render(<View state={state} session={shown} actions={actions} />);
}

describe("the header", () => {
  test("says what the session is, how it is, and who is here", () => {
    show();

    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(SESSION.title);
    expect(screen.getByText("Active")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Sandbox: Ready" })).toBeTruthy();
    expect(screen.getByRole("img", { name: "Grace Hopper is here" })).toBeTruthy();
    expect(screen.queryByRole("img", { name: "Ada Lovelace is here" })).toBeNull();
  });

  test("tells of a lost connection with a small mark", () => {
    const lost = { type: "connection", status: "reconnecting", error: null } as const;
    show(receive(heard(), lost));

    expect(screen.getByText("Reconnecting")).toBeTruthy();
  });

  test("renames in its place", () => {
    show();

    fireEvent.keyDown(document.body, { key: "r" });
    const field = screen.getByRole("textbox", { name: "Title" });
    fireEvent.input(field, { target: { value: "Another title" } });
    fireEvent.keyDown(field, { key: "Enter" });

    expect(actions.rename).toHaveBeenCalledWith("Another title");
  });

  test("keeps the title that Escape leaves", () => {
    show();

    fireEvent.keyDown(document.body, { key: "r" });
    const field = screen.getByRole("textbox", { name: "Title" });
    fireEvent.input(field, { target: { value: "Another title" } });
    fireEvent.keyDown(field, { key: "Escape" });

    expect(actions.rename).not.toHaveBeenCalled();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(SESSION.title);
  });
});

test("s asks before it stops what runs", () => {
  show();

  fireEvent.keyDown(document.body, { key: "s" });
  expect(actions.stop).not.toHaveBeenCalled();
  fireEvent.click(screen.getAllByRole("button", { name: "Stop", hidden: true }).at(-1) as Element);

  expect(actions.stop).toHaveBeenCalledOnce();
});

describe("the composer", () => {
  test("says that what is sent now will be queued, and sends it", () => {
    show();
    const field = screen.getByRole("textbox", { name: "Prompt" });

    expect(field.getAttribute("placeholder")).toBe("Will be queued behind the running turn");
    fireEvent.input(field, { target: { value: "  And the docs.  " } });
    fireEvent.click(screen.getByRole("button", { name: "Queue" }));

    const { model, effort } = SESSION;
    const sent = { text: "And the docs.", attachments: [], model, effort };
    expect(actions.send).toHaveBeenCalledWith(sent);
    expect(actions.typing).toHaveBeenCalled();
  });

  test("keeps what was not sent for the next time", () => {
    show();
    fireEvent.input(screen.getByRole("textbox", { name: "Prompt" }), { target: { value: "Half" } });

    cleanup();
    show();

    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Prompt" });
    expect(field.value).toBe("Half");
  });
});

test("details can be put away and brought back by key", () => {
  show();

  fireEvent.keyDown(document.body, { key: "]" });
  expect(screen.queryByRole("complementary", { name: "Details" })).toBeNull();
  fireEvent.keyDown(document.body, { key: "]" });

  const details = screen.getByRole("complementary", { name: "Details" });
  expect(details.textContent).toContain("outboard/byajohj3g7r4");
  expect(details.textContent).toContain("git fetch https://github.com/acme/ledger");
});

test("where there is little room details come when they are asked for, and over the page", () => {
  cramped.value = true;
  show();

  const before = screen.queryByRole("complementary", { name: "Details" });
  fireEvent.click(screen.getByRole("button", { name: "Show details" }));
  const details = screen.getByRole("complementary", { name: "Details" });

  expect([before, details.dataset.over]).toEqual([null, "true"]);
});

test("changes come by key in the place of details, which are there again behind them", async () => {
  show();

  fireEvent.keyDown(document.body, { key: "d" });
  const panel = screen.getByRole("complementary", { name: "Changes" });
  expect(screen.queryByRole("complementary", { name: "Details" })).toBeNull();
  expect(document.activeElement).toBe(panel);
  expect(await screen.findByText("The changes can't be loaded")).toBeTruthy();
  fireEvent.keyDown(panel, { key: "Escape" });

  expect(screen.queryByRole("complementary", { name: "Changes" })).toBeNull();
  expect(screen.getByRole("complementary", { name: "Details" })).toBeTruthy();
});

test("the key of details shows them in the place of changes", () => {
  show();

  fireEvent.keyDown(document.body, { key: "d" });
  fireEvent.keyDown(document.body, { key: "]" });

  expect(screen.queryByRole("complementary", { name: "Changes" })).toBeNull();
  expect(screen.getByRole("complementary", { name: "Details" })).toBeTruthy();
});
