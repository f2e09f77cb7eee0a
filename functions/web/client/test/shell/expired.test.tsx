import "../layers";
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signedOut } from "../../src/api";
import { ExpiredLogin } from "../../src/shell/expired";
import * as workspace from "../../src/shell/workspace";
import { me } from "../build";
import { Refusal, Server } from "../http";

let server: Server;

beforeEach(() => {
  workspace.me.value = me();
  workspace.start.value = "ready";
  signedOut.value = true;
  server = new Server().on("GET /me", () => {
    throw new Refusal(401, "unauthenticated");
  });
});

afterEach(() => {
  cleanup();
  signedOut.value = false;
});

function page() {
  render(
    <>
      <textarea aria-label="Draft">Half a thought</textarea>
      <ExpiredLogin />
    </>,
  );
}

test("an expired login keeps what was written, and Escape does not hide that it expired", () => {
  page();

  const dialog = screen.getByRole("dialog", { name: "Your login has expired" });
  fireEvent(dialog, new Event("cancel", { cancelable: true }));

  expect(screen.queryByRole("dialog")).not.toBeNull();
  expect(screen.getByLabelText("Draft").textContent).toBe("Half a thought");
});

test("signing in by a pasted link goes on where one was", async () => {
  server.on("POST /sign-in", () => {
    server.on("GET /me", () => me());
    return me();
  });
  page();

  const field = screen.getByLabelText("Or paste the link here");
  fireEvent.input(field, { target: { value: "http://127.0.0.1:4700/sign-in#code" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await vi.waitUntil(() => screen.queryByRole("dialog") === null);

  expect(server.bodies("POST /sign-in")).toEqual([{ code: "code" }]);
});
