// @vitest-environment node

import { describe, expect, test } from "vitest";
import { allFiles, opening } from "../../../src/session/changes/files";
import { BLOCK, fileFrom, itemsOf } from "../../../src/session/changes/items";
import { type Patch, rowsOf } from "../../../src/session/changes/patches";
import { changes, file, PATCH, repository } from "./view";

const NONE = new Map<string, Patch>();

function patch(rows: number, revision = "r1"): Patch {
  const row = { kind: "added" as const, before: null, after: 1, text: "x" };
  return { revision, rows: Array.from({ length: rows }, () => row), failed: null };
}

function open(...paths: string[]): Map<string, boolean> {
  return new Map(paths.map((path) => [`tool\n${path}`, true]));
}

const ONE = changes([repository("tool", [file("a.py")])]);

describe("the list", () => {
  test("has the repositories in their order, each with its files", () => {
    const view = changes([repository("tool", [file("a.py")]), repository("site", [file("b.ts")])]);

    expect(itemsOf(view, new Map(), NONE).map(({ key }) => key.trim())).toEqual([
      "tool",
      "tool\na.py",
      "site",
      "site\nb.ts",
    ]);
  });

  test("does not name an only repository", () => {
    expect(itemsOf(ONE, new Map(), NONE).map(({ kind }) => kind)).toEqual(["file"]);
  });

  test("says of one of several that it has no changes, or why nothing is known of it", () => {
    const view = changes([repository("tool", []), repository("site", [], { error: "git failed" })]);

    expect(itemsOf(view, new Map(), NONE)).toMatchObject([
      { kind: "repository" },
      { kind: "said", text: "No changes", bad: false },
      { kind: "repository" },
      { kind: "said", text: "git failed", bad: true },
    ]);
  });

  test("says how many more files have changed than it has", () => {
    const view = changes([repository("tool", [file("a.py")], { leftOut: 1_200 })]);

    const text = "1,200 more files have changed: the list ends after 1";
    expect(itemsOf(view, new Map(), NONE).at(-1)).toMatchObject({ kind: "said", text });
  });

  test("has the lines of an open file in blocks, of which each is drawn by itself", () => {
    const patches = new Map([["tool\na.py", patch(2 * BLOCK + 1)]]);
    const blocks = itemsOf(ONE, open("a.py"), patches).slice(1);

    expect(blocks.map((item) => item.kind === "lines" && item.rows.length)).toEqual([
      BLOCK,
      BLOCK,
      1,
    ]);
  });

  test("shows lines of an older comparison until the newer ones are there", () => {
    const patches = new Map([["tool\na.py", patch(1, "r0")]]);

    expect(itemsOf(ONE, open("a.py"), patches).at(-1)).toMatchObject({
      kind: "lines",
      stale: true,
    });
  });

  test.each([
    ["binary", "A binary file: it has no lines to show"],
    ["too_large", "The file or its changes are too large to be shown"],
    ["metadata_only", "There are no lines to show, or no room was left for them"],
  ] as const)("says of a %s file why it has no lines", (render, text) => {
    const view = changes([repository("tool", [file("a.png", { render })])]);

    expect(itemsOf(view, open("a.png"), NONE).at(-1)).toMatchObject({ kind: "said", text });
  });

  test("waits for what is not there, and says what can't be had", () => {
    const failed = { revision: "r1", rows: [], failed: "no such file" };

    expect(itemsOf(ONE, open("a.py"), NONE).at(-1)).toMatchObject({ kind: "awaited" });
    expect(itemsOf(ONE, open("a.py"), new Map([["tool\na.py", failed]])).at(-1)).toMatchObject({
      kind: "failed",
      why: "no such file",
    });
  });

  test("tells an empty new file from one whose lines are the same", () => {
    const view = changes([
      repository("tool", [file("new", { status: "added" }), file("moved", { status: "renamed" })]),
    ]);
    const patches = new Map(allFiles(view).map(({ key }) => [key, patch(0)]));

    const said = itemsOf(view, open("new", "moved"), patches).filter(({ kind }) => kind === "said");
    expect(said).toMatchObject([{ text: "An empty file" }, { text: "No lines have changed" }]);
  });
});

describe("files that begin open", () => {
  test("are as many as one reads at once", () => {
    const view = changes([
      repository(
        "tool",
        [150, 150, 150, 1].map((additions, at) => file(`${at}`, { additions, deletions: 0 })),
      ),
    ]);

    expect([...opening(new Map(), view).values()]).toEqual([true, true, false, false]);
  });

  test("are none that have no lines", () => {
    const view = changes([repository("tool", [file("a.png", { render: "binary" })])]);

    expect([...opening(new Map(), view).values()]).toEqual([false]);
  });

  test("stay as they were left when they change again", () => {
    const view = changes([repository("tool", [file("a.py"), file("b.py", { additions: 900 })])]);

    const kept = opening(
      new Map([
        ["tool\na.py", false],
        ["tool\nb.py", true],
      ]),
      view,
    );

    expect([...kept.values()]).toEqual([false, true]);
  });
});

test("two files whose names read the same are two", () => {
  const view = changes([repository("tool", [file("a\ufffd"), file("a\ufffd")])]);

  expect(new Set(allFiles(view).map(({ key }) => key)).size).toBe(2);
});

test("one goes from file to file, to the first one first, and stays at the ends", () => {
  const view = changes([repository("tool", [file("a.py"), file("b.py")])]);
  const items = itemsOf(view, open("a.py"), new Map([["tool\na.py", patch(3 * BLOCK)]]));

  expect(fileFrom(items, null, 1)).toBe(0);
  expect(fileFrom(items, "tool\na.py", 1)).toBe(4);
  expect(fileFrom(items, "tool\nb.py", 1)).toBe(4);
  expect(fileFrom(items, "tool\na.py", -1)).toBe(0);
  expect(fileFrom([], null, 1)).toBeNull();
});

describe("the lines of a patch", () => {
  test("are its own", () => {
    expect(rowsOf(PATCH).map(({ kind, text }) => [kind, text])).toEqual([
      ["context", "one"],
      ["removed", "two"],
      ["added", "2"],
    ]);
  });

  test("are of both parts where a file has become another kind of file", () => {
    expect(rowsOf(PATCH + PATCH).filter(({ kind }) => kind === "added").length).toBe(2);
  });

  test("say where a file ends without a line's end", () => {
    const rows = rowsOf(`${PATCH}\\ No newline at end of file\n`);

    expect(rows.at(-1)).toMatchObject({ kind: "gap", text: "No newline at end of file" });
  });

  test("are cut where they are too long to be read", () => {
    const [, , long] = rowsOf(PATCH.replace("+2", `+${"x".repeat(3_000)}`));

    expect(long?.text).toBe(`${"x".repeat(2_000)} … 1,000 more characters`);
  });
});
