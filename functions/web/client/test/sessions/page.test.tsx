import "../layers";
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearToasts } from "../../src/design/toast";
import { SessionsPage } from "../../src/sessions/page";
import { session } from "../build";
import { Refusal, Server } from "../http";

let server: Server;

beforeEach(() => {
  server = new Server();
});

afterEach(() => {
  cleanup();
  clearToasts();
});

function show(address: string): void {
  history.replaceState(null, "", address);
  render(<SessionsPage />);
}

async function titles(): Promise<string[]> {
  const list = await screen.findByRole("list", { name: "Sessions" });
  return [...list.querySelectorAll(".session-title")].map((each) => each.textContent ?? "");
}

test("the address says what is searched for", async () => {
  server.on("GET /sessions", () => ({ sessions: [session("a")], next: null }));

  show("/sessions?q=ledger&lifecycle=all");
  const shown = await titles();

  const asked = server.asked.map(({ query }) => [query.get("query"), query.get("lifecycle")]);
  expect([shown, asked]).toEqual([["Session a"], [["ledger", "all"]]]);
});

test("what is searched for and filtered by goes into the address", async () => {
  server.on("GET /sessions", () => ({ sessions: [session("a")], next: null }));
  show("/sessions");
  await titles();

  fireEvent.input(screen.getByRole("searchbox"), { target: { value: "ledger" } });
  fireEvent.click(screen.getByRole("radio", { name: "Archived" }));

  expect(location.search).toBe("?q=ledger&lifecycle=archived");
});

test("more sessions are added behind those that are there", async () => {
  server.on("GET /sessions", ({ query }) =>
    query.get("start") === "page-2"
      ? { sessions: [session("b")], next: null }
      : { sessions: [session("a")], next: "page-2" },
  );
  show("/sessions");
  await titles();

  fireEvent.click(screen.getByRole("button", { name: "Load more" }));
  await screen.findByText("Session b");

  expect([await titles(), screen.queryByRole("button", { name: "Load more" })]).toEqual([
    ["Session a", "Session b"],
    null,
  ]);
});

test("a search goes on through pages in which nothing was found", async () => {
  server.on("GET /sessions", ({ query }) =>
    query.get("start") === "page-2"
      ? { sessions: [session("old")], next: null }
      : { sessions: [], next: "page-2" },
  );

  show("/sessions?q=old");

  expect(await titles()).toEqual(["Session old"]);
});

test("an archived session is restored here, and leaves the archived ones", async () => {
  const archived = session("a", { status: "archived" });
  server
    .on("GET /sessions", () => ({
      sessions: [archived, session("b", { status: "archived" })],
      next: null,
    }))
    .on("POST /sessions/a/unarchive", () => session("a"));
  show("/sessions?lifecycle=archived");
  await titles();

  fireEvent.click(screen.getByRole("button", { name: "Unarchive Session a" }));
  await vi.waitUntil(() => screen.queryByText("Session a") === null);

  expect(await titles()).toEqual(["Session b"]);
});

test("sessions that could not be loaded are asked for again by hand", async () => {
  server.on("GET /sessions", () => {
    throw new Refusal(503, "unavailable");
  });
  show("/sessions");
  const again = await screen.findByRole("button", { name: "Try again" });

  server.on("GET /sessions", () => ({ sessions: [session("a")], next: null }));
  fireEvent.click(again);

  expect(await titles()).toEqual(["Session a"]);
});
