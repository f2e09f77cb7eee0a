/** The text of a prompt: the timeline has only an excerpt of a long one. */

import { useContext, useEffect } from "preact/hooks";
import type { Turn } from "../state";
import { TimelineContext } from "./context";

/** Null: it was asked before what is loaded, and is on its way. */
export function useWholePrompt(number: number, turn: Turn | null): string | null {
  const { needPrompt } = useContext(TimelineContext);
  const missing = turn === null || turn.text === null || turn.excerpt;
  useEffect(() => {
    if (missing) {
      needPrompt(number);
    }
  }, [missing, number, needPrompt]);
  return turn?.text ?? null;
}
