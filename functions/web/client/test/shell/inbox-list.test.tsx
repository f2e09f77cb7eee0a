import "../layers";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearToasts } from "../../src/design/toast";
import { followInbox, refreshInbox } from "../../src/shell/inbox";
import { InboxList } from "../../src/shell/inbox-list";
import { SessionDialogs } from "../../src/shell/session-dialogs";
import { inbox, row, session } from "../build";
import { Server } from "../http";

let server: Server;
let listed = inbox();
let end: () => void;

beforeEach(() => {
  listed = inbox({
    needsAttention: [row("a", { finished: 1 }, true)],
    inProgress: [row("b", { status: "active" })],
    recent: [row("c")],
  });
  server = new Server().on("GET /inbox", () => listed);
  end = followInbox();
});

afterEach(() => {
  end();
  cleanup();
  clearToasts();
});

async function group(name: string): Promise<string[]> {
  const region = await screen.findByRole("region", { name });
  return [...region.querySelectorAll(".inbox-name")].map((each) => each.textContent ?? "");
}

function show(query = ""): void {
  render(
    <>
      <InboxList query={query} />
      <SessionDialogs />
    </>,
  );
}

test("sessions are in their groups, and an unread one says so", async () => {
  show();

  const groups = [
    await group("Needs attention"),
    await group("In progress"),
    await group("Recent"),
  ];

  expect(groups).toEqual([["Session a"], ["Session b"], ["Session c"]]);
  const unread = screen.getByRole("region", { name: "Needs attention" });
  expect(within(unread).getByText("Unread")).toBeTruthy();
});

test("a session is archived from its menu after a question", async () => {
  server.on("POST /sessions/c/archive", () => session("c", { status: "archived" }));
  show();
  await group("Recent");

  fireEvent.click(screen.getByRole("button", { name: "Actions for Session c" }));
  fireEvent.click(screen.getByRole("menuitem", { name: /Archive/ }));
  const words = screen.getByRole("dialog", { name: "Archive this session?" }).textContent;
  fireEvent.click(screen.getByRole("button", { name: "Archive" }));
  await vi.waitUntil(() => screen.queryByText("Session c") === null);

  expect(words).toContain("You can restore archived sessions from Settings > Data Controls.");
  expect(server.times("POST /sessions/c/archive")).toBe(1);
});

test("a search shows what the inbox has and what the server finds beyond it", async () => {
  server.on("GET /sessions", () => ({
    sessions: [session("c"), session("far", { title: "Session of long ago" })],
    next: null,
  }));

  show("session");
  await screen.findByText("Session of long ago");

  expect(await group("Found")).toEqual([
    "Session a",
    "Session b",
    "Session c",
    "Session of long ago",
  ]);
});

test("without any session the inbox says what will be there", async () => {
  listed = inbox();

  refreshInbox();
  show();

  expect(await screen.findByText("No open sessions")).toBeTruthy();
});
