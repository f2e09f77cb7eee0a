/** What a tool call changes in files: from the diff in its result, or from what it was called with. */

import type { ToolRow } from "../../state";
import { diffOf, type FileDiff, findDiff } from "../diff/rows";
import { path, shortPath, text } from "./input";
import { wording } from "./wording";

export interface ToolChanges {
  readonly files: readonly FileDiff[];
  readonly added: number;
  readonly removed: number;
  /** What the tool printed beside the diff. */
  readonly output: string;
}

const NONE: ToolChanges = { files: [], added: 0, removed: 0, output: "" };
const known = new WeakMap<ToolRow, ToolChanges>();

export function changes(row: ToolRow): ToolChanges {
  const found = known.get(row) ?? find(row);
  known.set(row, found);
  return found;
}

function find(row: ToolRow): ToolChanges {
  const { kind } = wording(row);
  if ((kind !== "edit" && kind !== "write") || row.status === "error") {
    return { ...NONE, output: row.output };
  }
  const told = findDiff(row.output);
  const files = told.files.length > 0 ? told.files.map(shortened) : called(row);
  return {
    files,
    added: sum(files.map((file) => file.added)),
    removed: sum(files.map((file) => file.removed)),
    output: told.before,
  };
}

function called({ input }: ToolRow): readonly FileDiff[] {
  const name = path(input);
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const made = edits.flatMap((edit) => {
    const before = text(edit, "oldString", "old_string");
    const after = text(edit, "newString", "new_string", "content");
    return before === "" && after === "" ? [] : [diffOf(name, before, after)];
  });
  return made.filter((file) => file.rows.length > 0);
}

function shortened(file: FileDiff): FileDiff {
  const { rows, added, removed } = file;
  return { path: shortPath(file.path), rows, added, removed };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
