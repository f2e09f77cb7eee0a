/** Says that somebody writes: at the first letter, and then once a while. */

import { useMemo } from "preact/hooks";

const AGAIN_MS = 20_000;

/** `now` in milliseconds. The function that is returned is called with each change. */
export function onceAWhile(say: () => void, now: () => number): () => void {
  let said = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - said >= AGAIN_MS) {
      said = now();
      say();
    }
  };
}

export function useTyping(say: () => void): () => void {
  return useMemo(() => onceAWhile(say, Date.now), [say]);
}
