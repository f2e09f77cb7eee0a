/** What the page asks of its state. All of it is cheap, whatever the length of the session. */

import type { SessionView } from "../../protocol";
import type { Row } from "./rows";
import type { PendingPrompt, SessionState, Turn } from "./types";

/** The rows of the timeline, for a virtual list. A row that did not change is the same object. */
export interface Rows {
  readonly length: number;
  at(index: number): Row | undefined;
}

/** A prompt that waits. `number` is null until the server has accepted it; `key` never changes. */
export interface QueuedPrompt {
  readonly key: string;
  readonly number: number | null;
  readonly turn: Turn | null;
  readonly pending: PendingPrompt | null;
}

export interface Selectors {
  /** The session with everything that was heard since. */
  session(state: SessionState): SessionView | null;
  rows(state: SessionState): Rows;
  turn(state: SessionState, number: number): Turn | null;
  queue(state: SessionState): readonly QueuedPrompt[];
  /** Whether there is more of the timeline than is loaded. */
  hasOlder(state: SessionState): boolean;
}
