/** A finished turn that was on a page that somebody could see has been read. */

import { useEffect, useRef } from "preact/hooks";
import type { SessionView } from "../protocol";
import { markRead } from "../shell/session-actions";

/** Time to look, so that leafing through sessions leaves them unread. */
const LOOKED_MS = 800;

/** What could not be marked is tried again at the next look, and when the server is heard again. */
export function useMarkingRead(session: SessionView, isHeard: boolean): void {
  const newest = useRef(session);
  newest.current = session;
  const marked = useRef<number | null>(null);
  const { finished } = session;
  useEffect(() => {
    if (finished === null || finished === marked.current || !isHeard) {
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        timer = setTimeout(read, LOOKED_MS);
      }
    };
    const read = async () => {
      if (await markRead(newest.current, finished)) {
        marked.current = finished;
        document.removeEventListener("visibilitychange", look);
      }
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [finished, isHeard]);
}
