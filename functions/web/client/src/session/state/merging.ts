/**
 * Two pieces of one row, the older and the newer one, as one. Pieces add up in any grouping, so it
 * does not matter in which portions a timeline comes in.
 */

import { mergedBoot } from "./boots";
import type { Row, TextRow, ToolRow } from "./rows";

export function mergedRow(older: Row, newer: Row): Row {
  switch (newer.kind) {
    case "text":
      return older.kind === "text" ? mergedText(older, newer) : newer;
    case "tool":
      return older.kind === "tool" ? mergedTool(older, newer) : newer;
    case "boot":
      return older.kind === "boot" ? mergedBoot(older, newer) : newer;
    case "reasoning":
    case "todos":
    case "artifact":
      return { ...newer, at: older.at };
    default:
      return older;
  }
}

/** The whole replaces what came before it, more is put behind it. */
function mergedText(older: TextRow, newer: TextRow): TextRow {
  const { at } = older;
  return newer.whole
    ? { ...newer, at }
    : { ...newer, at, text: older.text + newer.text, whole: older.whole };
}

function mergedTool(older: ToolRow, newer: ToolRow): ToolRow {
  return {
    ...newer,
    at: older.at,
    title: newer.title || older.title,
    input: Object.keys(newer.input).length > 0 ? newer.input : older.input,
    output: newer.output || older.output,
    error: newer.error ?? older.error,
    exitCode: newer.exitCode ?? older.exitCode,
    endedAt: older.endedAt ?? newer.endedAt,
  };
}
