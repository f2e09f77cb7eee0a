import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Accounts } from "../../src/settings/accounts";
import { Refusal, Server } from "../http";

const GRACE = { provider: "github", login: "grace", tokens: "kept" };

let server: Server;

beforeEach(() => {
  history.replaceState(null, "", "/settings/profile");
  server = new Server().on("GET /accounts", () => ({ accounts: [], offered: ["github"] }));
});

afterEach(cleanup);

test("who comes back from GitHub is connected, and nothing of it stays in the address", async () => {
  history.replaceState(null, "", "/settings/profile#connect=github&state=s%2B1&code=c");
  server
    .on("PUT /accounts/github", () => GRACE)
    .on("GET /accounts", () => ({ accounts: [GRACE], offered: ["github"] }));

  render(<Accounts />);

  expect(await screen.findByText("Connected as grace")).toBeTruthy();
  expect(server.bodies("PUT /accounts/github")).toEqual([{ state: "s+1", code: "c" }]);
  expect(location.hash).toBe("");
  expect(screen.queryByRole("button", { name: "Connect GitHub" })).toBeNull();
});

test("a refusal is told, and one may connect again", async () => {
  history.replaceState(null, "", "/settings/profile#connect=github&state=s&code=c");
  server.on("PUT /accounts/github", () => {
    throw new Refusal(409, "conflict");
  });

  render(<Accounts />);

  expect((await screen.findByRole("alert")).textContent).toBe("Not connected: refused.");
  expect(await screen.findByRole("button", { name: "Connect GitHub" })).toBeTruthy();
});

test("who said no over there is told so", async () => {
  history.replaceState(null, "", "/settings/profile?problem=declined");

  render(<Accounts />);

  expect((await screen.findByRole("alert")).textContent).toMatch(/You said no/);
});

test("disconnecting asks first", async () => {
  server
    .on("GET /accounts", () => ({ accounts: [GRACE], offered: ["github"] }))
    .on("DELETE /accounts/github", () => ({}));
  render(<Accounts />);

  fireEvent.click(await screen.findByRole("button", { name: "Disconnect" }));
  const asked = await screen.findByRole("dialog", { name: "Disconnect GitHub?" });
  expect(server.times("DELETE /accounts/github")).toBe(0);
  server.on("GET /accounts", () => ({ accounts: [], offered: ["github"] }));
  const action = asked.querySelectorAll("button");
  fireEvent.click(action[action.length - 1] as HTMLElement);

  expect(await screen.findByText(/Not connected/)).toBeTruthy();
  expect(server.times("DELETE /accounts/github")).toBe(1);
});

test("tokens that are over are told, and connected again", async () => {
  const over = { ...GRACE, tokens: "ended" };
  server.on("GET /accounts", () => ({ accounts: [over], offered: ["github"] }));

  render(<Accounts />);

  expect(await screen.findByText("Connect again")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Connect GitHub" })).toBeTruthy();
});

test("where no host is set up that is said; and what could not be loaded, too", async () => {
  server.on("GET /accounts", () => ({ accounts: [], offered: [] }));
  render(<Accounts />);
  expect(await screen.findByText(/No code host is set up/)).toBeTruthy();
  cleanup();

  server.on("GET /accounts", () => {
    throw new Refusal(503, "unavailable");
  });
  render(<Accounts />);

  expect(await screen.findByText(/could not be loaded/)).toBeTruthy();
});
