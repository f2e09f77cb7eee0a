import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plain } from "../../../src/session/timeline/tools/ansi";
import { shortCommand, shortPath } from "../../../src/session/timeline/tools/input";
import { wording } from "../../../src/session/timeline/tools/wording";

function said(tool: string, input: Record<string, unknown>, status = "completed", title = "") {
  const { verb, target } = wording({ tool, input, status, title });
  return target === "" ? verb : `${verb} ${target}`;
}

describe("a tool call in words", () => {
  test.each([
    ["read", { filePath: "/workspace/api/src/x.py" }, "Read src/x.py"],
    ["bash", { command: "cd /workspace/api && make test" }, "Ran make test"],
    ["edit", { filePath: "/workspace/api/x.py", oldString: "a", newString: "b" }, "Edited x.py"],
    ["write", { filePath: "/workspace/api/new.py", content: "1" }, "Wrote new.py"],
    ["grep", { pattern: "TODO", path: "/workspace/api/src" }, "Searched for TODO in src"],
    ["glob", { pattern: "**/*.py" }, "Looked for **/*.py"],
    ["list", { path: "/workspace/api" }, "Listed ."],
    ["webfetch", { url: "https://a.example" }, "Fetched https://a.example"],
    ["task", { description: "Find callers" }, "Delegated Find callers"],
    ["outboard_screenshot", { path: "/tmp/a.png", title: "Home" }, "Handed in a screenshot Home"],
    ["Read", { file_path: "/workspace/api/y.py" }, "Read y.py"],
    ["apply_patch", { patchText: "*** Update File: /workspace/api/z.py\n" }, "Edited z.py"],
  ])("%s %j is %s", (tool, input, words) => {
    expect(said(tool, input)).toBe(words);
  });

  test("says what goes on while it goes on", () => {
    expect(said("bash", { command: "make" }, "running")).toBe("Running make");
  });

  test("of a tool that nobody knows names it", () => {
    expect(said("linear_search", {}, "completed", "open issues")).toBe(
      "Used linear search: open issues",
    );
  });

  test("of a tool that is called like something of the language names it", () => {
    expect(said("constructor", {})).toBe("Used constructor");
    expect(said("__proto__", {})).toBe("Used   proto  ");
  });

  test("of a helper of the agent says so", () => {
    const words = wording({ tool: "read", input: {}, status: "completed", title: "subtask: x.py" });

    expect(words.subtask).toBe(true);
  });

  test("survives whatever it was called with", () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (tool, input) => {
        expect(typeof said(tool, input)).toBe("string");
      }),
    );
  });
});

test("a path is as people in the repository write it", () => {
  expect(shortPath("/tmp/sandbox-7/workspace/api/src/x.py")).toBe("src/x.py");
  expect(shortPath("/etc/hosts")).toBe("/etc/hosts");
});

test("a command of several lines is told by its first", () => {
  expect(shortCommand("cd '/workspace/a b' && python - <<'E'\nprint(1)\nE")).toBe(
    "python - <<'E' …",
  );
});

describe("a terminal's output", () => {
  const start = String.fromCharCode(27);

  test("loses its colours and keeps its words", () => {
    expect(plain(`${start}[1;32mok${start}[0m\tdone\n`)).toBe("ok\tdone\n");
  });

  test("shows of a line that was drawn again what was drawn last", () => {
    expect(plain("10%\r55%\r100%\r\ndone\r")).toBe("100%\ndone");
  });

  test("loses titles and links of the terminal", () => {
    expect(plain(`${start}]0;title${String.fromCharCode(7)}${start}]8;;x${start}\\a`)).toBe("a");
  });

  test("has nothing left that drives a terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (output) => {
        expect(plain(output)).not.toMatch(/[^\P{Cc}\t\n]/u);
      }),
    );
  });
});
