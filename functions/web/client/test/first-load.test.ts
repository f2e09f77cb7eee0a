// @vitest-environment node

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sizesOf } from "../scripts/first-load";

test("what the page can't begin without counts once, what it asks for later does not", () => {
  const chunk = (fileName: string, isEntry: boolean, imports: string[]) => ({
    type: "chunk" as const,
    fileName,
    code: fileName.repeat(100),
    isEntry,
    imports,
  });

  const sizes = sizesOf({
    "main.js": chunk("main.js", true, ["shared.js", "other.js"]),
    "other.js": chunk("other.js", false, ["shared.js"]),
    "shared.js": chunk("shared.js", false, []),
    "later.js": chunk("later.js", false, ["shared.js"]),
    "main.css": { type: "asset" },
  });

  expect([...sizes.keys()].sort()).toEqual(["main.js", "other.js", "shared.js"]);
  expect(sizes.get("main.js")).toBe(gzipSync("main.js".repeat(100)).length);
});
