import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { start } from "../../src/shell/workspace";
import { destination, SignInPage } from "../../src/sign-in/page";
import { MODELS, me } from "../build";
import { Refusal, Server } from "../http";

let server: Server;

beforeEach(() => {
  start.value = "signed-out";
  server = new Server()
    .on("POST /sign-in", () => ({ ...me(), pageKey: null }))
    .on("GET /me", () => me())
    .on("GET /models", () => MODELS)
    .on("GET /repositories", () => ({ repositories: [] }));
});

afterEach(cleanup);

test("the code of the address signs in, and is in the address no more", async () => {
  history.replaceState(null, "", "/sign-in?to=/session/s1#the-code");

  render(<SignInPage />);
  const address = location.href;
  await vi.waitUntil(() => start.value === "ready");

  expect(address).not.toContain("the-code");
  expect(server.bodies("POST /sign-in")).toEqual([{ code: "the-code" }]);
  expect(destination()).toBe("/session/s1");
});

test("a code that was used says so, and how to get another", async () => {
  history.replaceState(null, "", "/sign-in#old");
  server.on("POST /sign-in", () => {
    throw new Refusal(401, "unauthenticated");
  });

  render(<SignInPage />);
  const alert = await screen.findByText(/used already/);

  expect([alert.getAttribute("role"), screen.getByText("./outboard open").tagName]).toEqual([
    "alert",
    "CODE",
  ]);
});

test("a code that was cut in the middle of a character is one that does not work", async () => {
  history.replaceState(null, "", "/sign-in#100%");
  server.on("POST /sign-in", () => {
    throw new Refusal(401, "unauthenticated");
  });

  render(<SignInPage />);

  expect(await screen.findByText(/used already/)).toBeTruthy();
});

test("a pasted link signs in, and the page that was asked for stays", async () => {
  history.replaceState(null, "", "/session/s1");
  render(<SignInPage />);

  const field = screen.getByRole("textbox", { name: "Or paste the link here" });
  fireEvent.input(field, { target: { value: "http://127.0.0.1:4700/sign-in#pasted" } });
  fireEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await vi.waitUntil(() => start.value === "ready");

  expect(server.bodies("POST /sign-in")).toEqual([{ code: "pasted" }]);
  expect(location.pathname).toBe("/session/s1");
});

test.each([
  ["?to=//evil.example", "/"],
  ["?to=https://evil.example", "/"],
  ["?to=/%5Cevil.example", "/"],
  ["?to=/%09/evil.example", "/"],
  ["?to=/%0A//evil.example", "/"],
  ["?to=sessions", "/"],
  ["?to=/sessions", "/sessions"],
  ["", "/"],
])("%s leads to %s", (search, expected) => {
  history.replaceState(null, "", `/sign-in${search}`);

  expect(destination()).toBe(expected);
});
