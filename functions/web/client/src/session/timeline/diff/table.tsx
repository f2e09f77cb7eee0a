/** Lines of a diff: their numbers before and after, their sign, and their words in colours. */

import { Colored } from "../code/colored";
import { languageOf, useColors } from "../code/highlight";
import { linesOf } from "./lines";
import type { DiffRow } from "./rows";
import "./diff.css";

interface TableProps {
  readonly rows: readonly DiffRow[];
  readonly path: string;
}

export function DiffTable({ rows, path }: TableProps) {
  const code = rows.map((row) => (row.kind === "gap" ? "" : row.text)).join("\n");
  const nodes = useColors(code, languageOf(path), true);
  const lines = nodes === null ? null : linesOf(nodes);
  return (
    <table class="diff-table">
      <tbody>
        {rows.map((row, at) => {
          const colored = lines?.[at];
          return (
            <tr key={at} class={`diff-row diff-${row.kind}`}>
              <td class="diff-number">{row.before}</td>
              <td class="diff-number">{row.after}</td>
              <td class="diff-sign">{SIGNS[row.kind]}</td>
              <td class="diff-text">
                {colored === undefined || row.kind === "gap" ? (
                  row.text
                ) : (
                  <Colored nodes={colored} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const SIGNS = { context: "", added: "+", removed: "−", gap: "⋯" } as const;
