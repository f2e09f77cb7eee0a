import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PullRequestsSection } from "../../src/settings/pull-requests";
import { split } from "../../src/settings/words";
import { me } from "../../src/shell/workspace";
import { me as person } from "../build";
import { Refusal, Server } from "../http";

const POLICY = "/settings/pull-requests";

let server: Server;

beforeEach(() => {
  me.value = { ...person(), role: "owner" };
  server = new Server().on(`GET ${POLICY}`, () => ({ draft: false, label: "", own: false }));
});

afterEach(cleanup);

test("the owner has all of them opened as drafts, with a label", async () => {
  server.on(`PUT ${POLICY}`, () => ({ draft: true, label: "agents", own: true }));
  render(<PullRequestsSection />);

  fireEvent.click(await screen.findByRole("radio", { name: "Always drafts" }));
  fireEvent.input(screen.getByRole("textbox", { name: "Label" }), {
    target: { value: " agents " },
  });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByDisplayValue("agents");

  expect(server.bodies(`PUT ${POLICY}`)).toEqual([{ draft: true, label: "agents" }]);
});

test("who is no owner sees what is chosen, and changes nothing", async () => {
  me.value = { ...person(), role: "member" };
  render(<PullRequestsSection />);

  expect(await screen.findByText("Opened as drafts when asked")).toBeTruthy();
  expect(screen.getByText("Only the owner may change it")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});

test("what could not be loaded says so, and is asked for again", async () => {
  server.on(`GET ${POLICY}`, () => {
    throw new Refusal(503, "unavailable");
  });
  render(<PullRequestsSection />);
  await screen.findByText(/could not be loaded/);

  server.on(`GET ${POLICY}`, () => ({ draft: true, label: "", own: true }));
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("radio", { name: "Always drafts" })).toBeTruthy();
});

test("words are what stands between commas, each once", () => {
  expect(split(" a, b c ,,a")).toEqual(["a", "b c"]);
});
