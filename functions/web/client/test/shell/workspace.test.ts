import { afterEach, expect, test, vi } from "vitest";
import { loadRepositories, repositories } from "../../src/shell/workspace";
import { repository } from "../build";
import { Refusal, Server } from "../http";

afterEach(() => vi.useRealTimers());

test("a server that is starting is asked again, and until it answers nothing is known", async () => {
  vi.useFakeTimers();
  repositories.value = null;
  const server = new Server().on("GET /repositories", () => {
    if (server.times("GET /repositories") < 3) throw new Refusal(503, "unavailable");
    return { repositories: [repository("api")] };
  });

  const loaded = loadRepositories();
  await vi.advanceTimersByTimeAsync(0);
  const before = repositories.value;
  await vi.runAllTimersAsync();
  await loaded;

  expect([before, repositories.value]).toEqual([null, [repository("api")]]);
});
