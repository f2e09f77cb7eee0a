/** An edit as rows with line numbers, from a unified diff or from what was there before and after. */

import { structuredPatch } from "diff";

export type RowKind = "context" | "added" | "removed" | "gap";

export interface DiffRow {
  readonly kind: RowKind;
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

export interface FileDiff {
  readonly path: string;
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const CUT = /^… \d+ characters left out …$/;

/** What a tool printed before its diff, and the files of the diff. */
export function findDiff(output: string): { before: string; files: readonly FileDiff[] } {
  const start = output.search(/^(?:Index: .+\n=+\n)?--- .*\n\+\+\+ .*$/m);
  if (start < 0) {
    return { before: output, files: [] };
  }
  return { before: output.slice(0, start).trimEnd(), files: parseUnified(output.slice(start)) };
}

/** Takes a diff whose middle was left out as well: what can't be numbered any more is not. */
export function parseUnified(diff: string): readonly FileDiff[] {
  const files: FileDiff[] = [];
  let reading: Reading | null = null;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("+++ ") && !(reading?.inHunk ?? false)) {
      reading = new Reading(line.slice(4).split("\t")[0] ?? "");
      files.push(reading);
    } else if (/^(?:Index: |diff --git )/.test(line)) {
      reading = null;
    } else {
      reading?.take(line);
    }
  }
  return files.filter((file) => file.rows.length > 0);
}

class Reading implements FileDiff {
  readonly rows: DiffRow[] = [];
  added = 0;
  removed = 0;
  inHunk = false;
  private old: number | null = 0;
  private new: number | null = 0;

  constructor(readonly path: string) {}

  take(line: string): void {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      this.begin(Number(hunk[1]), Number(hunk[2]), hunk[3] ?? "");
    } else if (CUT.test(line)) {
      this.rows.push({ kind: "gap", before: null, after: null, text: line });
      this.old = this.new = null;
    } else if (this.inHunk) {
      this.add(line);
    }
  }

  private begin(old: number, fresh: number, title: string): void {
    const apart = this.rows.length > 0 || old > 1;
    if (apart) {
      this.rows.push({ kind: "gap", before: null, after: null, text: title });
    }
    this.inHunk = true;
    this.old = old;
    this.new = fresh;
  }

  private add(line: string): void {
    const text = line.slice(1);
    if (line.startsWith("\\")) {
      this.rows.push({ kind: "gap", before: null, after: null, text: text.trim() });
    } else if (line.startsWith("+")) {
      this.added += 1;
      this.rows.push({ kind: "added", before: null, after: this.new, text });
      this.new = next(this.new);
    } else if (line.startsWith("-")) {
      this.removed += 1;
      this.rows.push({ kind: "removed", before: this.old, after: null, text });
      this.old = next(this.old);
    } else if (line.startsWith(" ") || line === "") {
      this.rows.push({ kind: "context", before: this.old, after: this.new, text });
      this.old = next(this.old);
      this.new = next(this.new);
    }
  }
}

function next(line: number | null): number | null {
  return line === null ? null : line + 1;
}

/** Where the lines stand in the file is not known then; they are counted from one. */
export function diffOf(path: string, before: string, after: string): FileDiff {
  const patch = structuredPatch(path, path, ended(before), ended(after), "", "", { context: 3 });
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines.filter((line) => !line.startsWith("\\")),
  ]);
  const files = parseUnified([`--- ${path}`, `+++ ${path}`, ...lines].join("\n"));
  return files[0] ?? { path, rows: [], added: 0, removed: 0 };
}

function ended(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
