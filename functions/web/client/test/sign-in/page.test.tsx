import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { start } from "../../src/shell/workspace";
import { SignInPage } from "../../src/sign-in/page";
import { PROBLEMS, problemWords } from "../../src/sign-in/problems";
import { destination, keepWanted, takeWanted } from "../../src/sign-in/wanted";
import { MODELS, me } from "../build";
import { Refusal, Server } from "../http";

let server: Server;

beforeEach(() => {
  sessionStorage.clear();
  start.value = "signed-out";
  server = new Server()
    .on("POST /sign-in", () => ({ ...me(), pageKey: null }))
    .on("GET /me", () => me())
    .on("GET /sign-in/providers", () => ({ providers: [] }))
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

test("each provider has its button, which leads to where the server sends browsers on", async () => {
  history.replaceState(null, "", "/session/s1?tab=changes");
  server.on("GET /sign-in/providers", () => ({ providers: ["github"] }));

  render(<SignInPage />);
  const way = await screen.findByRole("link", { name: "Continue with GitHub" });
  way.addEventListener("click", (event) => event.preventDefault());
  fireEvent.click(way);

  expect(way.getAttribute("href")).toBe("/api/sign-in/github");
  expect(takeWanted()).toBe("/session/s1?tab=changes");
});

test("who comes back with a code goes on to where they wanted to", async () => {
  history.replaceState(null, "", "/session/s1");
  keepWanted();
  history.replaceState(null, "", "/sign-in#the-code");

  render(<SignInPage />);
  await vi.waitUntil(() => start.value === "ready");

  expect([destination(), takeWanted()]).toEqual(["/session/s1", null]);
});

test("who was refused goes where they wanted to at the next attempt", () => {
  history.replaceState(null, "", "/session/s1");
  keepWanted();
  history.replaceState(null, "", "/sign-in?problem=declined");

  keepWanted();

  expect(takeWanted()).toBe("/session/s1");
});

test("what else somebody put into the tab's memory leads nowhere", () => {
  for (const kept of ["//evil.example", "https://evil.example", "/\\evil.example", "nowhere"]) {
    sessionStorage.setItem("outboard.wanted", kept);
    expect(takeWanted()).toBeNull();
  }
});

test.each(Object.entries(PROBLEMS))("the problem %s is told on the page", async (name, words) => {
  history.replaceState(null, "", `/sign-in?problem=${name}`);

  render(<SignInPage />);

  expect((await screen.findByText(words)).getAttribute("role")).toBe("alert");
});

test("a problem that nobody knows is one all the same, and its name is not shown", () => {
  const words = problemWords("?problem=constructor");

  expect(words).toMatch(/did not work/);
  expect(problemWords("?to=/")).toBeNull();
});

test("a page that cannot ask for other ways says so, and how to sign in by link", async () => {
  history.replaceState(null, "", "/");
  server.on("GET /sign-in/providers", () => {
    throw new Refusal(503, "unavailable");
  });
  render(<SignInPage />);
  expect(await screen.findByText(/could not be asked/)).toBeTruthy();
  expect(screen.getByText("./outboard open")).toBeTruthy();

  server.on("GET /sign-in/providers", () => ({ providers: ["github"] }));
  fireEvent.click(screen.getByRole("button", { name: "Ask again" }));

  expect(await screen.findByRole("link", { name: "Continue with GitHub" })).toBeTruthy();
});
