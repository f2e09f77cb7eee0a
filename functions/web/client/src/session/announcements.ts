/** What a screen reader is told while the page is open: phases, and how turns come out. */

import { useEffect, useRef } from "preact/hooks";
import { announce } from "../design/announce";
import { lookup } from "../design/lookup";
import type { SessionView } from "../protocol";
import { sandboxWords } from "./header/sandbox-words";

interface Heard {
  readonly session: string;
  readonly sandbox: string;
  readonly running: number | null;
  readonly finished: number | null;
  /** Of the one that finished. */
  readonly outcome: string | null;
}

const OUTCOMES: Record<string, string> = { failed: "failed", stopped: "was stopped" };

function heardOf(session: SessionView): Heard {
  const { id, running, finished, outcome } = session;
  return {
    session: id,
    sandbox: sandboxWords(session).label,
    running,
    finished,
    outcome: outcome ?? null,
  };
}

/** What is news between two looks at the session; null: nothing that has to be said. */
export function news(before: Heard, now: Heard): string | null {
  if (before.session !== now.session) {
    return null;
  }
  if (before.running !== null && now.running !== before.running) {
    const outcome = now.finished === before.running ? now.outcome : null;
    return `Prompt ${before.running} ${lookup(OUTCOMES, outcome ?? "") ?? "is finished"}`;
  }
  if (now.running !== null && before.running === null) {
    return `Prompt ${now.running} runs`;
  }
  return before.sandbox === now.sandbox ? null : `Sandbox: ${now.sandbox}`;
}

export function useAnnouncements(session: SessionView): void {
  const before = useRef<Heard | null>(null);
  useEffect(() => {
    const now = heardOf(session);
    const words = before.current === null ? null : news(before.current, now);
    before.current = now;
    if (words !== null) {
      announce(words);
    }
  }, [session]);
}
