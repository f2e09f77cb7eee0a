import "../layers";
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeHandoff } from "../../src/composer/handoff";
import { clearToasts, Toasts } from "../../src/design/toast";
import { Composer } from "../../src/home/composer";
import { draft, lastTarget, setDraft } from "../../src/home/draft";
import { models, repositories } from "../../src/shell/workspace";
import { environments, environmentsProblem } from "../../src/targets/environments";
import { environment, MODELS, repository, session } from "../build";
import { Refusal, Server } from "../http";

const SHOP = environment("Shop", ["api", "web"]);

let server: Server;

beforeEach(() => {
  history.replaceState(null, "", "/");
  localStorage.clear();
  sessionStorage.clear();
  setDraft("");
  lastTarget.value = null;
  environments.value = null;
  environmentsProblem.value = null;
  models.value = MODELS;
  repositories.value = [repository("api", { branch: "main" }), repository("cli")];
  server = new Server()
    .on("GET /environments", () => ({ environments: [SHOP] }))
    .on("POST /sessions", () => session("new", { status: "created", prompts: 0 }))
    .on("POST /sessions/new/prompts", () => ({ number: 1, position: null }));
});

afterEach(() => {
  cleanup();
  clearToasts();
});

function page(): HTMLTextAreaElement {
  render(
    <>
      <Composer field={{ current: null }} />
      <Toasts />
    </>,
  );
  return screen.getByRole("textbox", { name: "What should be worked on?" }) as HTMLTextAreaElement;
}

function type(field: HTMLTextAreaElement, text: string): void {
  fireEvent.input(field, { target: { value: text } });
}

test("typing warms one session of the repository used last", async () => {
  const field = page();

  type(field, "F");
  type(field, "Fi");
  type(field, "Fix it");
  await vi.waitUntil(() => server.times("POST /sessions") > 0);

  expect(server.bodies("POST /sessions")).toEqual([
    {
      requestId: expect.any(String),
      repositories: [{ url: repository("api").url, branch: "main", label: "" }],
      model: "demo",
      effort: "low",
      warm: true,
    },
  ]);
});

test("sending shows the session and hands it the prompt", async () => {
  const field = page();

  type(field, "Fix it ");
  fireEvent.keyDown(field, { key: "Enter" });
  await vi.waitUntil(() => location.pathname === "/session/new");
  const handed = takeHandoff("new");
  await handed?.sent;

  const asked = { text: "Fix it", model: "demo", effort: "low" };
  expect(handed).toMatchObject({ ...asked, attachments: [] });
  expect(server.bodies("POST /sessions/new/prompts")).toEqual([
    { ...asked, attachments: [], requestId: handed?.requestId },
  ]);
  expect(draft.value).toBe("");
});

test("a draft is there again after a reload", () => {
  type(page(), "Half a thou");

  expect(JSON.parse(localStorage.getItem("outboard.draft") ?? "")).toBe("Half a thou");
});

test("a session that could not be opened leaves the draft as it is, and says why", async () => {
  server.on("POST /sessions", () => {
    throw new Refusal(404, "not_found");
  });
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });
  await screen.findByText("The session could not be opened: refused");

  expect([field.value, location.pathname]).toEqual(["Fix it", "/"]);
});

test.each([
  ["Shift and Enter", { key: "Enter", shiftKey: true }],
  ["Enter while a word is being composed", { key: "Enter", isComposing: true }],
])("%s does not send", async (_, keys) => {
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, keys);
  await vi.waitUntil(() => server.times("POST /sessions") === 1);

  expect([location.pathname, draft.value]).toEqual(["/", "Fix it"]);
});

test("without a repository nothing is warmed and nothing sent, and it says so", async () => {
  repositories.value = [];
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });

  await screen.findByText("Choose a repository first");
  expect([server.times("POST /sessions"), location.pathname]).toEqual([0, "/"]);
});

test("Enter that comes before the choices do is remembered, and sends when they are there", async () => {
  const known = repositories.value;
  repositories.value = null;
  models.value = null;
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });
  repositories.value = known;
  models.value = MODELS;
  await vi.waitUntil(() => location.pathname === "/session/new");

  expect(takeHandoff("new")?.text).toBe("Fix it");
  expect(server.times("POST /sessions")).toBe(1);
});

test("whoever writes on after an early Enter is asked for another one", async () => {
  const known = repositories.value;
  repositories.value = null;
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });
  type(field, "Fix it, and");
  repositories.value = known;
  await vi.waitUntil(() => server.times("POST /sessions") === 1);

  expect([location.pathname, draft.value]).toEqual(["/", "Fix it, and"]);
});

test("several that were chosen last are worked on, in their order", async () => {
  const set = ["cli", "api"].map((name) => ({ ...repository(name), branch: "dev" }));
  lastTarget.value = { kind: "repositories", set };
  const field = page();

  type(field, "Fix it");
  await vi.waitUntil(() => server.times("POST /sessions") > 0);

  const repositories = set.map(({ url }) => ({ url, branch: "dev", label: "" }));
  expect(server.bodies("POST /sessions")).toMatchObject([{ repositories }]);
  expect(screen.getByRole("button", { name: "Repositories: acme/cli, acme/api" })).toBeTruthy();
});

test("an environment that was chosen last is what the session is opened from", async () => {
  lastTarget.value = { kind: "environment", id: SHOP.id, name: "Store" };
  const field = page();

  type(field, "Fix it");
  await vi.waitUntil(() => server.times("POST /sessions") > 0);

  const [asked] = server.bodies("POST /sessions");
  expect(asked).toMatchObject({ environment: SHOP.id, warm: true });
  expect(asked).not.toHaveProperty("repositories");
  expect(screen.getByRole("button", { name: "Environment: Shop" })).toBeTruthy();
});

test("that a session works on nothing is remembered, too", async () => {
  lastTarget.value = { kind: "none" };
  const field = page();

  type(field, "What is a monad?");
  await vi.waitUntil(() => server.times("POST /sessions") > 0);

  expect(server.bodies("POST /sessions")).toMatchObject([{ repositories: [] }]);
});

test("an environment that was deleted meanwhile is told of, and nothing is sent unasked", async () => {
  server.on("GET /environments", () => ({ environments: [] }));
  lastTarget.value = { kind: "environment", id: SHOP.id, name: "Shop" };
  const field = page();

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });
  await screen.findByText(/The environment “Shop” was deleted.*would work on acme.api/);
  const send = screen.getByRole("button", { name: "Start the session" });
  await vi.waitUntil(() => send.getAttribute("aria-disabled") === "false");
  expect([location.pathname, draft.value]).toEqual(["/", "Fix it"]);
  fireEvent.click(send);
  await vi.waitUntil(() => location.pathname === "/session/new");

  const repositories = [{ url: repository("api").url, branch: "main", label: "" }];
  expect(server.bodies("POST /sessions")).toMatchObject([{ repositories }]);
});

test("one that is deleted while a prompt is written is told of when it is sent", async () => {
  lastTarget.value = { kind: "environment", id: SHOP.id, name: "Shop" };
  const field = page();
  await screen.findByRole("button", { name: "Environment: Shop" });
  server
    .on("GET /environments", () => ({ environments: [] }))
    .on("POST /sessions", () => {
      throw new Refusal(404, "not_found");
    });

  type(field, "Fix it");
  fireEvent.keyDown(field, { key: "Enter" });

  await screen.findByText(/The environment “Shop” was deleted/);
  expect([location.pathname, draft.value]).toEqual(["/", "Fix it"]);
});

test("environments that can't be listed are said to be, and looked for again", async () => {
  server.on("GET /environments", () => {
    throw new Refusal(503, "unavailable");
  });
  page();

  fireEvent.click(screen.getByRole("button", { name: "Repository: acme/api" }));
  await screen.findByText("The environments could not be listed: refused.");
  server.on("GET /environments", () => ({ environments: [SHOP] }));
  for (const again of screen.getAllByRole("button", { name: "Try again" })) fireEvent.click(again);

  await screen.findByRole("option", { name: /Shop/ });
});
