import { cleanup, render, screen } from "@testing-library/preact";
import { afterEach, expect, test } from "vitest";
import { Branch, Repositories } from "../../src/session/details/code-of-it";
import { REPOSITORY, SESSION } from "../fixtures/session";

const NOT_PUSHED = { ...REPOSITORY, pushedBranch: null, pushedCommit: null };
const SITE = { ...REPOSITORY, name: "site", url: "https://github.com/acme/site" };

afterEach(cleanup);

function told(repositories: typeof SESSION.repositories): string {
  const session = { ...SESSION, repositories };
  const { container } = render(
    <>
      <Repositories session={session} />
      <Branch session={session} />
    </>,
  );
  return container.textContent ?? "";
}

test("an only repository's branch is told without its name", () => {
  const words = told([REPOSITORY]);

  expect(words).toContain("outboard/byajohj3g7r4");
  expect(words).not.toContain("acme/ledger: outboard");
  expect(words).toContain("git fetch https://github.com/acme/ledger outboard/byajohj3g7r4");
});

test("each repository that something was pushed to has its branch and its command", () => {
  const words = told([REPOSITORY, NOT_PUSHED, SITE]);

  expect(screen.getByText("Branches")).toBeTruthy();
  expect(words).toContain("acme/ledger: outboard/byajohj3g7r4");
  expect(words).toContain("git fetch https://github.com/acme/site outboard/byajohj3g7r4");
});

test("nothing pushed yet is said", () => {
  expect(told([NOT_PUSHED])).toContain("Nothing was pushed yet.");
});

test("a session without a repository has no branch to tell of", () => {
  expect(told([])).toBe("RepositoriesIt works on none.");
});
