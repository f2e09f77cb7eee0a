import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SecretReading, SecretView } from "../../src/protocol";
import { isGood, summary } from "../../src/settings/env-reading";
import { placeOf, places, typedPlace } from "../../src/settings/secret-places";
import { SecretsSection } from "../../src/settings/secrets";
import * as workspace from "../../src/shell/workspace";
import { me } from "../build";
import { Refusal, Server } from "../http";

const CANARY = "canary-5d2f";

let server: Server;
let names: string[];

function view(name: string): SecretView {
  return { name, updatedAt: "2026-11-30T12:00:00Z", updatedBy: "ada" };
}

function list() {
  return { scope: "global", target: null, secrets: names.map(view) };
}

beforeEach(() => {
  names = [];
  workspace.me.value = me();
  server = new Server()
    .on("GET /environments", () => ({ environments: [] }))
    .on("GET /secrets", list)
    .on("PUT /secrets", () => {
      names = ["NPM_TOKEN"];
      return list();
    });
});

afterEach(cleanup);

function type(label: string, text: string): HTMLInputElement {
  const field = screen.getByLabelText<HTMLInputElement>(label);
  fireEvent.input(field, { target: { value: text } });
  return field;
}

async function press(name: string): Promise<void> {
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name }).hasAttribute("disabled")).toBe(false),
  );
  fireEvent.click(screen.getByRole("button", { name }));
}

test("a value goes to the server once, and is nowhere on the page afterwards", async () => {
  render(<SecretsSection />);
  await screen.findByText("No secrets here yet");

  type("Name", "npm_token");
  const value = type("Value", CANARY);
  expect([value.type, value.autocomplete]).toEqual(["password", "off"]);
  await press("Set the secret");
  await screen.findByRole("button", { name: "Delete NPM_TOKEN" });

  expect(server.bodies("PUT /secrets")).toEqual([
    { scope: "global", values: { npm_token: CANARY } },
  ]);
  await vi.waitFor(() => expect(value.value).toBe(""));
  expect(document.documentElement.outerHTML + location.href).not.toContain(CANARY);
});

test("a refusal is said as the server says it, and what was typed stays to be put right", async () => {
  server.on("PUT /secrets", () => {
    throw new Refusal(422, "invalid");
  });
  render(<SecretsSection />);
  await screen.findByText("No secrets here yet");

  type("Name", "PATH");
  const value = type("Value", CANARY);
  await press("Set the secret");

  expect((await screen.findByRole("alert")).textContent).toBe("refused");
  expect(value.value).toBe(CANARY);
});

test("one that is replaced keeps its name and asks for a value", async () => {
  names = ["NPM_TOKEN"];
  render(<SecretsSection />);
  fireEvent.click(await screen.findByRole("button", { name: "Replace NPM_TOKEN" }));

  await screen.findByRole("button", { name: "Replace the secret" });

  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("NPM_TOKEN");
  expect(document.activeElement).toBe(screen.getByLabelText("Value"));
});

test("whoever is not the owner sees the names for everything, and changes none", async () => {
  names = ["NPM_TOKEN"];
  workspace.me.value = { ...me(), role: "member" };
  render(<SecretsSection />);

  expect(await screen.findByText("NPM_TOKEN")).toBeTruthy();
  expect(screen.getByText("Only the owner may change those for everything")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Delete NPM_TOKEN" })).toBeNull();
  expect(screen.queryByLabelText("Value")).toBeNull();
});

test("secrets that could not be loaded are said, and asked for again", async () => {
  server.on("GET /secrets", () => {
    throw new Refusal(403, "forbidden");
  });
  render(<SecretsSection />);
  expect((await screen.findByRole("alert")).textContent).toContain("refused");

  server.on("GET /secrets", list);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByText("No secrets here yet")).toBeTruthy();
});

test("a pasted file is set only after a preview without a refusal, and is gone then", async () => {
  const refused = { line: 2, name: "PATH", replaces: false, problem: "this name is reserved" };
  const good = { line: 1, name: "A", replaces: true, problem: null };
  server.on("POST /secrets/reading", ({ body }) => ({
    lines: JSON.stringify(body).includes("PATH") ? [good, refused] : [good],
    problem: null,
  }));
  render(<SecretsSection />);
  await screen.findByText("No secrets here yet");

  const text = type("Its text", `A=${CANARY}\nPATH=x`);
  await press("Preview");
  expect(await screen.findByText("this name is reserved")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Set all/ })).toBeNull();
  type("Its text", `A=${CANARY}`);
  await press("Preview");
  await press("Set all 1");
  await vi.waitFor(() => expect(text.value).toBe(""));

  expect(server.bodies("PUT /secrets")).toEqual([{ scope: "global", text: `A=${CANARY}` }]);
  expect(document.documentElement.outerHTML).not.toContain(CANARY);
});

test.each<[Partial<SecretReading>, string]>([
  [{}, "All 1 would be set."],
  [{ problem: "too many" }, "Nothing of it can be set: too many."],
  [
    { lines: [{ line: 1, name: null, replaces: false, problem: "no" }] },
    "1 of 1 are refused, and nothing is set while any is.",
  ],
])("%j is told as %s", (part, said) => {
  const lines = [{ line: 1, name: "A", replaces: false, problem: null }];
  const reading = { lines, problem: null, ...part };

  expect(summary(reading)).toBe(said);
  expect(isGood(reading)).toBe(Object.keys(part).length === 0);
});

test("each place of the list is asked for by its scope and what it is", () => {
  const url = "https://github.com/acme/api.git";
  const options = places([{ id: "e1", name: "Shop" }], [{ url, name: "api", label: "" }]);

  expect(options.map((each) => placeOf(each.value))).toEqual([
    { scope: "global" },
    { scope: "environment", target: "e1" },
    { scope: "repository", target: url },
  ]);
});

test("an address may be typed, and stays what it was once it is chosen", () => {
  const typed = typedPlace("https://github.com/acme/new");

  expect(typed && placeOf(typed.value).target).toBe("https://github.com/acme/new");
  expect(typed && typedPlace(typed.value)).toEqual(typed);
  expect(typedPlace("acme/new")).toBeNull();
});
