import "../layers";
import { cleanup, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Origin } from "../../src/session/details/origin";
import { session } from "../build";
import { Server } from "../http";

const FROM = { id: "env_shop", name: "Shop", deleted: null };

let server: Server;

beforeEach(() => {
  server = new Server();
});

afterEach(cleanup);

test("an environment is called in the details what it is called now", async () => {
  const now = { ...FROM, name: "The shop", deleted: false };
  server.on("GET /sessions/s", () => session("s", { environment: now }));

  render(<Origin session={session("s", { environment: FROM })} />);
  expect(screen.getByText("Shop")).toBeTruthy();
  await screen.findByText("The shop");

  expect(screen.queryByText("Environment deleted")).toBeNull();
});

test("of an environment that is gone it is said, beside the name it had", async () => {
  const gone = { ...FROM, deleted: true };
  server.on("GET /sessions/s", () => session("s", { environment: gone }));

  render(<Origin session={session("s", { environment: FROM })} />);
  await screen.findByText("Environment deleted");

  expect(screen.getByText("Shop")).toBeTruthy();
});

test("a session that came from none asks for nothing and says nothing", () => {
  const { container } = render(<Origin session={session("s")} />);

  expect([container.textContent, server.asked]).toEqual(["", []]);
});
