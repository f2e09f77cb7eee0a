/** What the reader of a session's page can have done. All of it answers at once; failures are toasts. */

import type { Attached } from "../protocol";

export interface NewTurn {
  readonly text: string;
  readonly attachments: readonly Attached[];
  readonly model: string | null;
  readonly effort: string | null;
}

export interface SessionActions {
  loadOlder(): void;
  send(turn: NewTurn): void;
  sendAgain(requestId: string): void;
  dismiss(requestId: string): void;
  cancelPrompt(number: number): void;
  stop(): void;
  resumeQueue(): void;
  typing(): void;
  rename(title: string): void;
  restore(): void;
  cancelSession(): void;
  saveFiles(): void;
}
