import { cleanup, fireEvent, render, screen, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signedOut } from "../../src/api";
import { SignOutEverywhere } from "../../src/settings/sign-out-everywhere";
import { Refusal, Server } from "../http";

const PATH = "POST /sign-out-everywhere";

let server: Server;

beforeEach(() => {
  signedOut.value = false;
  server = new Server().on(PATH, () => ({}));
});

afterEach(cleanup);

async function confirm(tokens: boolean): Promise<void> {
  render(<SignOutEverywhere />);
  fireEvent.click(screen.getByRole("button", { name: "Sign out everywhere" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sign out everywhere?" }));
  expect(server.times(PATH)).toBe(0);
  if (tokens) fireEvent.click(dialog.getByRole("checkbox"));
  fireEvent.click(dialog.getByRole("button", { name: "Sign out everywhere" }));
  await vi.waitFor(() => expect(server.times(PATH)).toBe(1));
}

test.each([false, true])(
  "after the question all logins end, tokens as chosen: %s",
  async (tokens) => {
    localStorage.setItem("outboard.login", '"a key"');
    await confirm(tokens);

    await vi.waitFor(() => expect(signedOut.value).toBe(true));
    expect(server.bodies(PATH)).toEqual([{ tokens }]);
    expect(localStorage.getItem("outboard.login")).toBeNull();
  },
);

test("a refusal leaves everybody signed in and the question open", async () => {
  server.on(PATH, () => {
    throw new Refusal(503, "unavailable");
  });
  await confirm(false);

  expect(screen.getByRole("dialog")).toBeTruthy();
  expect(signedOut.value).toBe(false);
});
