import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearToasts, takeBack } from "../../src/design/toast";
import { followInbox, inbox as shown } from "../../src/shell/inbox";
import { archive, markRead, rename } from "../../src/shell/session-actions";
import { inbox, row, session } from "../build";
import { Refusal, Server } from "../http";

let server: Server;
let listed = inbox();
let end: () => void;

beforeEach(async () => {
  listed = inbox({ recent: [row("a", { updatedAt: "2026-11-30T13:00:00Z" }), row("b")] });
  server = new Server().on("GET /inbox", () => listed);
  end = followInbox();
  await vi.waitUntil(() => shown.value?.recent.length === 2);
});

afterEach(() => {
  end();
  clearToasts();
});

function titles(): string[] {
  return shown.value?.recent.map((each) => each.session.title) ?? [];
}

test("an archived session is gone before the server has answered", async () => {
  let answer = (_: unknown) => {};
  server.on("POST /sessions/a/archive", () => new Promise((resolve) => (answer = resolve)));

  const archived = archive(session("a"));
  const meanwhile = titles();
  await vi.waitUntil(() => server.times("POST /sessions/a/archive") === 1);
  answer(session("a", { status: "archived" }));
  await archived;

  expect(meanwhile).toEqual(["Session b"]);
});

test("an archived session does not come back with an answer that was on its way", async () => {
  server.on("POST /sessions/a/archive", () => session("a", { status: "archived" }));
  const asked = server.times("GET /inbox");

  await archive(session("a"));
  listed = inbox({ recent: [row("b")] });
  await vi.waitUntil(() => server.times("GET /inbox") > asked);

  expect(titles()).toEqual(["Session b"]);
});

test("an archive that was refused is taken back", async () => {
  server.on("POST /sessions/a/archive", () => {
    throw new Refusal(409, "conflict");
  });

  await archive(session("a"));

  expect(titles()).toEqual(["Session a", "Session b"]);
});

test("an archive can be undone at once, and the restore is asked for after it", async () => {
  server
    .on("POST /sessions/a/archive", () => session("a", { status: "archived" }))
    .on("POST /sessions/a/unarchive", () => session("a"));

  const archived = archive(session("a"));
  const undone = takeBack();
  const meanwhile = titles();
  await archived;
  await vi.waitUntil(() => server.times("POST /sessions/a/unarchive") === 1);

  const posts = server.asked.filter((each) => each.method === "POST").map((each) => each.path);
  expect({ undone, meanwhile, posts }).toEqual({
    undone: true,
    meanwhile: ["Session a", "Session b"],
    posts: ["/sessions/a/archive", "/sessions/a/unarchive"],
  });
});

test("a new title is shown at once and the old one again when it was refused", async () => {
  server.on("PATCH /sessions/a", () => {
    throw new Refusal(422, "invalid");
  });

  const renamed = rename(session("a"), "Other");
  const meanwhile = titles();
  await renamed;

  expect([meanwhile, titles()]).toEqual([
    ["Other", "Session b"],
    ["Session a", "Session b"],
  ]);
});

test("marking as read names the newest turn that has finished", async () => {
  server.on("PUT /sessions/a/read", () => row("a"));

  await markRead(session("a", { finished: 4 }));

  expect(server.bodies("PUT /sessions/a/read")).toEqual([{ prompt: 4 }]);
});
