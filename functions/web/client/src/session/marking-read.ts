/** A finished turn that was on a page that somebody could see has been read. */

import { useEffect, useRef } from "preact/hooks";
import * as api from "../api";

/** Time to look, so that leafing through sessions leaves them unread. */
const LOOKED_MS = 800;

export function useMarkingRead(session: string, finished: number | null): void {
  const marked = useRef<string | null>(null);
  useEffect(() => {
    const mark = `${session}/${finished}`;
    if (finished === null || marked.current === mark) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        timer = setTimeout(read, LOOKED_MS);
      }
    };
    const read = () => {
      marked.current = mark;
      api.markRead(session, finished).catch(() => {
        marked.current = null; // the next turn marks this one, too
      });
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [session, finished]);
}
