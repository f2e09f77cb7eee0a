import { cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AccessTokenView } from "../../src/protocol";
import { AccessTokensSection } from "../../src/settings/access-tokens";
import { date, daysOf, lastUsed } from "../../src/settings/token-words";
import { Refusal, Server } from "../http";

const SECRET = "oba_secret-of-it";
const TOKEN: AccessTokenView = {
  id: "t1",
  name: "nightly",
  scope: "read",
  createdAt: "2026-11-30T12:00:00Z",
  expiresAt: "2026-12-30T12:00:00Z",
  lastUsed: null,
};

let server: Server;
let tokens: AccessTokenView[];

beforeEach(() => {
  tokens = [];
  server = new Server()
    .on("GET /tokens", () => ({ tokens }))
    .on("POST /tokens", () => ({ token: TOKEN, secret: SECRET }))
    .on("DELETE /tokens/t1", () => ({}));
});

afterEach(cleanup);

async function make(days = "30"): Promise<void> {
  await screen.findByText("No tokens");
  fireEvent.input(screen.getByLabelText("Name"), { target: { value: " nightly " } });
  fireEvent.click(screen.getByLabelText("Read"));
  fireEvent.input(screen.getByLabelText("Ends in"), { target: { value: days } });
  const button = screen.getByRole("button", { name: "Make the token" });
  await vi.waitFor(() => expect(button.hasAttribute("disabled")).toBe(false));
  fireEvent.click(button);
}

test("a token is shown once, and is gone when one leaves", async () => {
  render(<AccessTokensSection />);
  await make();

  expect(await screen.findByText(SECRET)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy the token" })).toBeTruthy();
  expect(server.bodies("POST /tokens")).toEqual([{ name: "nightly", scope: "read", days: 30 }]);
  cleanup();
  tokens = [TOKEN];
  render(<AccessTokensSection />);

  expect(await screen.findByText("nightly")).toBeTruthy();
  expect(document.documentElement.outerHTML).not.toContain(SECRET);
});

test("one that has been copied is taken off the page", async () => {
  render(<AccessTokensSection />);
  await make();
  fireEvent.click(await screen.findByRole("button", { name: "I have copied it" }));

  await vi.waitFor(() => expect(screen.queryByText(SECRET)).toBeNull());
});

test("whoever may not make any is told so in the server's words", async () => {
  server.on("POST /tokens", () => {
    throw new Refusal(403, "forbidden");
  });
  render(<AccessTokensSection />);
  await make();

  expect((await screen.findByRole("alert")).textContent).toBe("refused");
});

test("a token is revoked after a question", async () => {
  tokens = [TOKEN];
  render(<AccessTokensSection />);
  fireEvent.click(await screen.findByRole("button", { name: "Revoke nightly" }));
  expect(server.times("DELETE /tokens/t1")).toBe(0);

  const dialog = screen.getByRole("dialog", { name: "Revoke nightly?" });
  fireEvent.click(within(dialog).getByRole("button", { name: "Revoke" }));

  expect(await screen.findByText("No tokens")).toBeTruthy();
  expect(server.times("DELETE /tokens/t1")).toBe(1);
});

test.each([
  ["1", 1],
  ["365", 365],
  [" 30 ", 30],
  ["0", null],
  ["366", null],
  ["1.5", null],
  ["", null],
])("%j days are %j", (text, days) => {
  expect(daysOf(text)).toBe(days);
});

test("the day of the last use is the server's, wherever the browser is", () => {
  const day = date("2026-12-01T00:00:00Z");

  expect(lastUsed({ ...TOKEN, lastUsed: "2026-12-01" })).toBe(`last used ${day}`);
  expect(date("2026-12-01T23:59:59Z")).toBe(day);
  expect(lastUsed(TOKEN)).toBe("never used");
});
