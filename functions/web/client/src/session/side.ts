/** What stands beside the timeline, or over it where there is little room: one thing at a time. */

import { useCallback, useRef, useState } from "preact/hooks";
import { cramped } from "../shell/drawer";
import { storedFlag } from "../shell/stored";
import type { FilesHandle } from "./changes/list";

const detailsShown = storedFlag("details-shown", true);

export interface Side {
  readonly shown: "changes" | "details" | null;
  showChanges(): void;
  toggleChanges(): void;
  toggleDetails(): void;
  /** For the keys. */
  readonly files: { current: FilesHandle | null };
}

/** The same functions each time: a frame that is words of a row draws no header anew. */
export function useSide(): Side {
  const files = useRef<FilesHandle | null>(null);
  const [changes, setChanges] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const details = cramped.value ? drawer : detailsShown.value;
  const showChanges = useCallback(() => {
    setDrawer(false);
    setChanges(true);
  }, []);
  const toggleChanges = useCallback(() => {
    setDrawer(false);
    setChanges((shown) => !shown);
  }, []);
  const toggleDetails = useCallback(() => {
    const shows = !changes && (cramped.value ? drawer : detailsShown.value);
    setChanges(false);
    if (cramped.value) {
      setDrawer(!shows);
    } else {
      detailsShown.value = !shows;
    }
  }, [changes, drawer]);
  const shown = changes ? "changes" : details ? "details" : null;
  return { shown, showChanges, toggleChanges, toggleDetails, files };
}
