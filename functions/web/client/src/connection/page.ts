/** The state of one session's page, as a signal, and the only way to change it. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { SessionView } from "../protocol";
import { cursor, INITIAL, type Message, receive, type SessionState } from "../session/state";

export class Page {
  private readonly current = signal<SessionState>(INITIAL);

  get signal(): ReadonlySignal<SessionState> {
    return this.current;
  }

  get state(): SessionState {
    return this.current.peek();
  }

  readonly tell = (message: Message): void => {
    this.current.value = receive(this.current.peek(), message);
  };

  /** What was asked for when `asOf` was the newest slot. */
  show(session: SessionView, asOf: number = cursor(this.state)): void {
    this.tell({ type: "session", session, asOf });
  }
}
