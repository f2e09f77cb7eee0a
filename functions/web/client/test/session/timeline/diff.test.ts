import { describe, expect, test } from "vitest";
import { diffOf, findDiff, parseUnified } from "../../../src/session/timeline/diff/rows";

const UNIFIED = `Index: /workspace/api/a.py
===================================================================
--- /workspace/api/a.py
+++ /workspace/api/a.py
@@ -10,4 +10,5 @@ def total():
 one
-two
+2
+3
 four
--- not a header
`;

describe("a unified diff", () => {
  test("is rows with the numbers of their lines", () => {
    const [file] = parseUnified(UNIFIED);

    expect(file?.rows).toEqual([
      { kind: "gap", before: null, after: null, text: "def total():" },
      { kind: "context", before: 10, after: 10, text: "one" },
      { kind: "removed", before: 11, after: null, text: "two" },
      { kind: "added", before: null, after: 11, text: "2" },
      { kind: "added", before: null, after: 12, text: "3" },
      { kind: "context", before: 12, after: 13, text: "four" },
      { kind: "removed", before: 13, after: null, text: "-- not a header" },
    ]);
    expect([file?.added, file?.removed]).toEqual([2, 2]);
  });

  test("is found behind what the tool says", () => {
    const { before, files } = findDiff(`Edit applied successfully.\n${UNIFIED}`);

    expect(before).toBe("Edit applied successfully.");
    expect(files.map((file) => file.path)).toEqual(["/workspace/api/a.py"]);
  });

  test("may be of several files", () => {
    const files = parseUnified(UNIFIED + UNIFIED.replaceAll("a.py", "b.py"));

    expect(files.map((file) => file.path)).toEqual(["/workspace/api/a.py", "/workspace/api/b.py"]);
  });

  test("whose middle was left out loses its numbers there", () => {
    const [file] = parseUnified(UNIFIED.replace("+2\n", "+2\n… 900 characters left out …\n"));

    const cut = file?.rows.findIndex((row) => row.text.startsWith("…")) ?? 0;
    expect(file?.rows[cut]?.kind).toBe("gap");
    expect(file?.rows[cut + 1]).toEqual({ kind: "added", before: null, after: null, text: "3" });
  });

  test("is not taken for one when it is not", () => {
    expect(findDiff("--- a heading\nand text")).toEqual({
      before: "--- a heading\nand text",
      files: [],
    });
  });
});

describe("an edit without a diff", () => {
  test("is compared line by line", () => {
    const file = diffOf("a.py", "one\ntwo\n", "one\n2\n");

    expect(file.rows.map((row) => [row.kind, row.text])).toEqual([
      ["context", "one"],
      ["removed", "two"],
      ["added", "2"],
    ]);
  });

  test("of a new file is all new", () => {
    const file = diffOf("a.py", "", "one\ntwo");

    expect([file.added, file.removed]).toEqual([2, 0]);
    expect(file.rows.map((row) => row.after)).toEqual([1, 2]);
  });
});
