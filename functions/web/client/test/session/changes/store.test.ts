import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { allFiles } from "../../../src/session/changes/files";
import { ChangesStore } from "../../../src/session/changes/store";
import { Refusal, Server } from "../../http";
import { changes, file, PATCH, repository } from "./view";

const AT = "/sessions/s1/changes";
const VIEW = changes([repository("tool", [file("a.py"), file("b.py")])]);
const [A, B] = allFiles(VIEW);
const AGAIN = { ...VIEW, comparedAt: "2026-01-01T13:00:00Z" };

let server: Server;
const fetched = globalThis.fetch;

beforeEach(() => {
  server = new Server();
  server.on(`GET ${AT}`, () => VIEW);
});
afterEach(() => {
  globalThis.fetch = fetched;
});

const atOnce = () => Promise.resolve();

function opened(pause: () => Promise<void> = atOnce): ChangesStore {
  return new ChangesStore("s1", pause);
}

describe("the listing", () => {
  test("is what the server says", async () => {
    const store = opened();
    await store.load();

    expect(store.view.value).toEqual(VIEW);
    expect(store.problem.value).toBeNull();
  });

  test("that can't be had leaves the one before, and is asked for again", async () => {
    const store = opened();
    await store.load();
    server.on(`GET ${AT}`, () => {
      throw new Refusal(503, "unavailable");
    });

    await store.load();
    expect(store.view.value).toEqual(VIEW);
    expect(store.problem.value).toBe("The newest can't be shown: refused");

    server.on(`GET ${AT}`, () => AGAIN);
    await store.load();
    expect([store.view.value, store.problem.value]).toEqual([AGAIN, null]);
  });
});

describe("asking the sandbox", () => {
  test("waits until it has compared", async () => {
    server.on(`POST ${AT}/refresh`, () => ({ revision: "r1" }));
    let looks = 0;
    server.on(`GET ${AT}`, () => {
      looks += 1;
      return looks < 3 ? VIEW : AGAIN;
    });
    const store = opened();
    await store.load();

    const asking = store.ask();
    expect(store.waiting.value).toBe("yes");
    await asking;

    expect(store.waiting.value).toBe("no");
    expect(store.view.value).toEqual(AGAIN);
  });

  test("does not wait for ever", async () => {
    server.on(`POST ${AT}/refresh`, () => ({ revision: "r1" }));
    const store = opened();
    await store.load();

    await store.ask();

    expect(store.waiting.value).toBe("in vain");
  });

  test("that is refused says why", async () => {
    server.on(`POST ${AT}/refresh`, () => {
      throw new Refusal(409, "rejected");
    });
    const store = opened();

    await store.ask();

    expect([store.waiting.value, store.problem.value]).toEqual([
      "no",
      "The sandbox can't be asked: refused",
    ]);
  });

  test("is over when the news come by themselves", async () => {
    const store = opened(() => new Promise(() => undefined));
    await store.load();
    void store.waitFor((view) => view.comparedAt === AGAIN.comparedAt);
    expect(store.waiting.value).toBe("yes");

    server.on(`GET ${AT}`, () => AGAIN);
    await store.load();

    expect(store.waiting.value).toBe("no");
  });

  test("ends with the sandbox", async () => {
    const store = opened(() => new Promise(() => undefined));
    void store.waitFor(() => false);

    store.rest();

    expect(store.waiting.value).toBe("no");
  });
});

describe("the lines of a file", () => {
  const of = (path: string, revision = "r1") => `GET ${AT}/${revision}/id-${path}`;
  const answer = () => ({ revision: "r1", file: "", patch: PATCH });

  test("are asked for once", async () => {
    server.on(of("a.py"), answer);
    const store = opened();
    if (A === undefined) throw new Error("no file");

    store.patches.want(A, "r1");
    store.patches.want(A, "r1");
    await vi.waitFor(() => expect(store.patches.known.value.size).toBe(1));
    store.patches.want(A, "r1");

    expect(server.times(of("a.py"))).toBe(1);
    expect(store.patches.known.value.get(A.key)?.rows.length).toBe(3);
  });

  test("that can't be had are asked for again when somebody wants them to be", async () => {
    server.on(of("b.py"), () => {
      throw new Refusal(500, "internal");
    });
    const store = opened();
    if (B === undefined) throw new Error("no file");
    const known = () => store.patches.known.value.get(B.key);

    store.patches.want(B, "r1");
    await vi.waitFor(() => expect(known()?.failed).toBe("refused"));
    store.patches.want(B, "r1");
    server.on(of("b.py"), answer);
    store.patches.want(B, "r1", true);
    await vi.waitFor(() => expect(known()?.failed).toBeNull());

    expect(server.times(of("b.py"))).toBe(2);
  });

  test("of an older comparison have the newer one asked for", async () => {
    server.on(of("a.py"), () => {
      throw new Refusal(409, "changes_stale");
    });
    const store = opened();
    await store.load();
    const newer = { ...VIEW, revision: "r2" };
    server.on(`GET ${AT}`, () => newer);
    if (A === undefined) throw new Error("no file");

    store.patches.want(A, "r1");
    await vi.waitFor(() => expect(store.view.value).toEqual(newer));

    expect(store.patches.known.value.size).toBe(0);
  });

  test("come four at a time", async () => {
    const many = allFiles(
      changes([
        repository(
          "tool",
          Array.from({ length: 9 }, (_, at) => file(`${at}`)),
        ),
      ]),
    );
    const going = new Map<string, (patch: unknown) => void>();
    let most = 0;
    for (const { file } of many) {
      server.on(`GET ${AT}/r1/${file.id}`, () => {
        return new Promise((answer) => {
          going.set(file.id, answer);
          most = Math.max(most, going.size);
        });
      });
    }
    const store = opened();

    for (const each of many) store.patches.want(each, "r1");
    await vi.waitFor(() => {
      for (const [id, done] of going) {
        going.delete(id);
        done(answer());
      }
      expect(store.patches.known.value.size).toBe(9);
    });

    expect(most).toBe(4);
  });
});
