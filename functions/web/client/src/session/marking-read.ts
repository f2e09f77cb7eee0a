/** A finished turn that was on a page that somebody could see has been read. */

import { useEffect, useRef } from "preact/hooks";
import type { SessionView } from "../protocol";
import { markRead } from "../shell/session-actions";

/** Time to look, so that leafing through sessions leaves them unread. */
const LOOKED_MS = 800;

export function useMarkingRead(session: SessionView): void {
  const newest = useRef(session);
  newest.current = session;
  const { id, finished } = session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session may have finished as many.
  useEffect(() => {
    if (finished === null) {
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
      document.removeEventListener("visibilitychange", look);
      void markRead(newest.current, finished);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [id, finished]);
}
