/** Which rows are open: those that the reader opened, and those that say most when they are. */

import { useCallback, useState } from "preact/hooks";
import type { Row } from "../state";
import { isBroken, isUnderWay, warnings } from "./boot/boot-words";
import { changes } from "./tools/changes";

/** Longer diffs wait until somebody asks for them. */
const SHORT_DIFF = 16;

export interface Opening {
  isOpen(row: Row): boolean;
  toggle(row: Row): void;
}

/** `onToggle`: what a row opens to is read from its beginning, even at the end of the timeline. */
export function useOpening(onToggle: () => void): Opening {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = useCallback((row: Row) => chosen.get(row.key) ?? opensItself(row), [chosen]);
  const toggle = useCallback(
    (row: Row) => {
      onToggle();
      setChosen((before) => {
        const open = before.get(row.key) ?? opensItself(row);
        return new Map(before).set(row.key, !open);
      });
    },
    [onToggle],
  );
  return { isOpen, toggle };
}

function opensItself(row: Row): boolean {
  switch (row.kind) {
    case "boot":
      return isUnderWay(row) || isBroken(row) || warnings(row) > 0;
    case "todos":
      return row.items.some((item) => item.status !== "completed" && item.status !== "cancelled");
    case "tool": {
      const { files } = changes(row);
      const rows = files.reduce((all, file) => all + file.rows.length, 0);
      return rows > 0 && rows <= SHORT_DIFF;
    }
    default:
      return false;
  }
}
