import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { PullRequestList, PullRequestView, SessionView } from "../../src/protocol";
import { PullRequests } from "../../src/session/details/pull-requests";
import { REPOSITORY, SESSION } from "../fixtures/session";
import { Refusal, Server } from "../http";

const LEDGER = "acme/ledger";
const SITE = { ...REPOSITORY, name: "acme/site", url: "https://github.com/acme/site" };
const DOCS = { ...REPOSITORY, name: "acme/docs", pushedBranch: null, pushedCommit: null };
const ALL: SessionView = { ...SESSION, repositories: [REPOSITORY, SITE, DOCS] };
const OPEN = `POST /sessions/${SESSION.id}/pull-requests`;
const REFRESH = `${OPEN}/refresh`;

const fetched = globalThis.fetch;
let server: Server;

beforeEach(() => {
  server = new Server();
});
afterEach(() => {
  cleanup();
  globalThis.fetch = fetched;
});

function told(repository: string, over: Partial<PullRequestView> = {}): PullRequestView {
  return {
    repository,
    number: 7,
    url: `https://github.com/${repository}/pull/7`,
    title: "Round",
    state: "open",
    draft: false,
    head: "outboard/byajohj3g7r4",
    base: "main",
    headCommit: REPOSITORY.pushedCommit,
    author: "ada",
    updatedAt: "2026-01-01T00:00:00Z",
    ...over,
  };
}

function offer(repository: string) {
  const url = `https://github.com/${repository}/compare`;
  return { repository, head: "outboard/byajohj3g7r4", base: "main", url };
}

async function show(list: Partial<PullRequestList>, session: SessionView = ALL): Promise<void> {
  server.on(REFRESH, () => ({ pullRequests: [], offers: [], ...list }));
  render(<PullRequests session={session} news="" />);
  await waitFor(() => expect(server.times(REFRESH)).toBe(1));
  await new Promise((done) => setTimeout(done));
}

const links = () => screen.queryAllByRole("link").map((each) => each.textContent);
const buttons = () => screen.queryAllByRole("button").map((each) => each.textContent);

describe("of several repositories", () => {
  test("each line says of which it is, in the session's order", async () => {
    await show({ pullRequests: [told("acme/site"), told(LEDGER, { number: 3 })] });

    expect(links()).toEqual(["acme/ledger #3 Round", "acme/site #7 Round"]);
    expect(buttons()).toEqual([]);
  });

  test("each that was pushed to and has none open can have one opened", async () => {
    await show({ pullRequests: [told("acme/site")] });

    expect(buttons()).toEqual(["Open pull request: acme/ledger"]);
  });

  test("the manual link says for which it is", async () => {
    await show({ offers: [offer("acme/site")] });

    const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Open one for acme/site" });
    expect(link.href).toBe("https://github.com/acme/site/compare");
  });

  test("what was not opened is said of the one that it was asked for", async () => {
    server.on(OPEN, () => {
      throw new Refusal(409, "rejected");
    });
    await show({});

    fireEvent.click(screen.getByRole("button", { name: "Open pull request: acme/site" }));

    expect((await screen.findByRole("alert")).textContent).toBe("acme/site: refused");
    expect(server.bodies(OPEN)).toEqual([{ repository: "acme/site" }]);
  });

  test("one that is not of the session any more is told of last", async () => {
    await show({ pullRequests: [told("acme/old"), told("acme/site")] });

    expect(links()).toEqual(["acme/site #7 Round", "acme/old #7 Round"]);
  });
});

describe("a state", () => {
  const ONE: SessionView = { ...SESSION, repositories: [REPOSITORY] };

  test.each([
    [{ state: "open" }, "open", 0],
    [{ state: "open", draft: true }, "draft", 0],
    [{ state: "merged" }, "merged", 0],
    [{ state: "merged", headCommit: "older" }, "merged", 1],
    [{ state: "closed", draft: true }, "closed", 1],
  ] as const)("of %o is told as %s", async (over, word, canOpen) => {
    await show({ pullRequests: [told(LEDGER, over)] }, ONE);

    expect(screen.getByRole("listitem").textContent).toBe(`#7 Round${word}`);
    expect(buttons()).toEqual(canOpen ? ["Open pull request"] : []);
  });

  test("is the session's own until the host has answered", () => {
    server.on(REFRESH, () => new Promise(() => undefined));
    const session = { ...ONE, pullRequests: [told(LEDGER, { state: "merged" })] };

    render(<PullRequests session={session} news="" />);

    expect(screen.getByText("merged")).toBeTruthy();
  });
});

describe("opening one", () => {
  const ONE: SessionView = { ...SESSION, repositories: [REPOSITORY] };

  test("asks once, and shows what came of it", async () => {
    server.on(OPEN, () => ({ outcome: "opened", pullRequest: told(LEDGER), offer: null }));
    await show({}, ONE);
    server.on(REFRESH, () => ({ pullRequests: [told(LEDGER)], offers: [] }));

    const button = screen.getByRole("button");
    fireEvent.click(button);
    fireEvent.click(button);

    expect((await screen.findByRole("link")).textContent).toBe("#7 Round");
    expect(server.times(OPEN)).toBe(1);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("without a token of one's own leads to the host", async () => {
    server.on(OPEN, () => ({ outcome: "offered", pullRequest: null, offer: offer(LEDGER) }));
    await show({}, ONE);
    server.on(REFRESH, () => ({ pullRequests: [], offers: [offer(LEDGER)] }));

    fireEvent.click(screen.getByRole("button"));

    expect((await screen.findByRole("alert")).textContent).toContain("It is yours to open");
    expect(await screen.findByRole("link", { name: "Open one for acme/ledger" })).toBeTruthy();
  });

  test("says what did not come of it", async () => {
    const warnings = ["the label 'bot' was not set: no such label"];
    server.on(OPEN, () => ({
      outcome: "opened",
      pullRequest: told(LEDGER),
      offer: null,
      warnings,
    }));
    await show({}, ONE);

    fireEvent.click(screen.getByRole("button"));

    expect((await screen.findByRole("alert")).textContent).toBe(warnings[0]);
  });
});

test("where nothing was pushed nothing is said of pull requests", async () => {
  await show({}, { ...SESSION, repositories: [DOCS] });

  expect(screen.queryByRole("region")).toBeNull();
});
