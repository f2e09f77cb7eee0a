// @vitest-environment node

import { afterEach, expect, test, vi } from "vitest";
import * as api from "../../src/api";

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
  api.signedOut.value = false;
});

test("a request is our own page's, with its body as JSON", async () => {
  const asked = answering(200, { id: "s1" });

  await api.rename("s1", "New title");

  expect(asked).toEqual([
    {
      url: "/api/sessions/s1",
      method: "PATCH",
      credentials: "same-origin",
      headers: { "x-outboard": "web", "content-type": "application/json" },
      body: '{"title":"New title"}',
    },
  ]);
});

test("what is not asked for is not in the address", async () => {
  const asked = answering(200, { sessions: [], next: null });

  await api.sessions({ query: "a b", mine: false, start: null });

  expect(asked[0]?.url).toBe("/api/sessions?query=a+b&mine=false");
});

test("a refusal has the server's code, words and field", async () => {
  answering(422, { code: "invalid", message: "title: too long", field: "title" });

  const error = await api.rename("s1", "x").catch((raised: unknown) => raised);

  expect(error).toMatchObject({
    status: 422,
    code: "invalid",
    message: "title: too long",
    field: "title",
  });
});

test("an answer that is no JSON of ours, and none at all, are errors too", async () => {
  answering(503, "<html>");
  const gateway = await api.me().catch((raised: unknown) => raised);
  globalThis.fetch = () => Promise.reject(new TypeError("failed"));
  const nothing = await api.me().catch((raised: unknown) => raised);

  expect(gateway).toMatchObject({ status: 503, code: "internal", transient: true });
  expect(nothing).toMatchObject({ status: 0, code: api.UNREACHABLE, transient: true });
});

test("an answer that breaks off is none", async () => {
  const cut = new ReadableStream({ pull: (body) => body.error(new TypeError("cut")) });
  globalThis.fetch = async () => new Response(cut, { status: 200 });
  const stored = { id: "a1", size: 1, type: "image/png" };

  const error = await api.me().catch((raised: unknown) => raised);
  answering(200, "<html>");
  const strange = await api.me().catch((raised: unknown) => raised);
  globalThis.fetch = async () =>
    new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("cut")) }));
  const bytes = await api.download(stored).catch((raised: unknown) => raised);

  expect(error).toMatchObject({ code: api.UNREACHABLE, transient: true });
  expect(strange).toMatchObject({ code: api.UNREACHABLE });
  expect(bytes).toMatchObject({ code: api.UNREACHABLE });
});

test("a login that is over is known everywhere, a wrong code to sign in with is not one", async () => {
  answering(401, { code: "unauthenticated", message: "sign in" });
  await api.signIn("wrong").catch(() => {});
  const afterWrongCode = api.signedOut.value;

  await api.me().catch(() => {});

  expect(afterWrongCode).toBe(false);
  expect(api.signedOut.value).toBe(true);
});

test("a file goes up in parts and comes down as one", async () => {
  const file = new File(["abcdefg"], "shot.png", { type: "image/png" });
  const view = {
    id: "a1",
    name: "shot.png",
    type: "image/png",
    size: 7,
    ready: false,
    partBytes: 3,
  };
  const asked = answering(200, view, (url) => (url.includes("/parts/") ? null : view));
  const told: number[] = [];

  await api.upload(file, { onProgress: (part) => told.push(part) });

  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /api/attachments",
    "PUT /api/attachments/a1/parts/0",
    "PUT /api/attachments/a1/parts/1",
    "PUT /api/attachments/a1/parts/2",
    "POST /api/attachments/a1/complete",
  ]);
  expect(told.at(-1)).toBe(1);
});

test("what a page keeps of its login goes with each request, and not after signing out", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  const asked = answering(200, { name: "ada", pageKey: "obp_x" });

  const me = await api.signIn("code");
  await api.download({ id: "a1", size: 1, type: "image/png" });
  await api.signOut();
  await api.me();
  vi.unstubAllGlobals();

  expect(me).toEqual({ name: "ada" });
  expect(asked.map(({ headers }) => (headers as Record<string, string>)["x-outboard"])).toEqual([
    "web",
    "web obp_x",
    "web obp_x",
    "web",
  ]);
});

test("in a browser that keeps nothing a login lasts as long as the page", async () => {
  const refuse = () => {
    throw new DOMException("no", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  const asked = answering(200, { name: "ada", pageKey: "obp_x" });

  await api.signIn("code");
  await api.me();
  vi.unstubAllGlobals();

  expect(asked.at(-1)?.headers).toEqual({ "x-outboard": "web obp_x" });
});

interface Asked {
  readonly url: string;
  readonly method: string | undefined;
  readonly credentials: string | undefined;
  readonly headers: unknown;
  readonly body: unknown;
}

function answering(
  status: number,
  body: unknown,
  of: (url: string) => unknown = () => body,
): Asked[] {
  const asked: Asked[] = [];
  globalThis.fetch = async (url, init) => {
    const { method, credentials, headers, body: sent } = init ?? {};
    asked.push({ url: String(url), method, credentials, headers, body: sent });
    const answer = of(String(url));
    return answer === null
      ? new Response(null, { status: 204 })
      : new Response(typeof answer === "string" ? answer : JSON.stringify(answer), { status });
  };
  return asked;
}
