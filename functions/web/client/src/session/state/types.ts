/** The state of a session's page, and what changes it. */

import type {
  Attached,
  FrameMessage,
  Participant,
  PromptView,
  SessionView,
  ToClient,
  TokenCounts,
} from "../../protocol";
import type { Loaded } from "./window";

export type PromptStatus = "queued" | "running" | "completed" | "failed" | "stopped" | "cancelled";

/** A prompt and how its turn goes, as far as it is known. */
export interface Turn {
  readonly number: number;
  readonly status: PromptStatus;
  readonly author: string | null;
  /** The user's name, which `author` need not be; null: only the timeline told of it yet. */
  readonly user: string | null;
  /** null: not loaded. */
  readonly text: string | null;
  /** Whether `text` may be an excerpt: the whole is `api.prompt(id, number)`. */
  readonly excerpt: boolean;
  readonly attachments: readonly Attached[];
  readonly model: string | null;
  readonly effort: string | null;
  readonly stopping: boolean;
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** A copy of its files is kept. */
  readonly saved: boolean;
  readonly error: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  readonly cost: number;
  readonly tokens: TokenCounts;
}

/** A prompt of ours that the server has not told everybody of yet. */
export interface PendingPrompt {
  readonly requestId: string;
  readonly text: string;
  readonly attachments: readonly Attached[];
  readonly model: string | null;
  readonly effort: string | null;
  readonly sentAt: string;
  /** The newest prompt there was when it was sent. */
  readonly behind: number;
  /** Its number, once the server has accepted it. */
  readonly number: number | null;
  /** Why it was refused for good; it stays until it is sent again or dismissed. */
  readonly refused: string | null;
}

export type ConnectionStatus =
  | "connecting"
  | "open"
  /** It was open before. */
  | "reconnecting"
  | "offline"
  | "signed_out"
  /** There is no such session, or it is not ours. */
  | "refused";

/** What the page itself says, through the same door as the server. */
export type LocalMessage =
  | { readonly type: "sent"; readonly prompt: PendingPrompt }
  | { readonly type: "prompt_refused"; readonly requestId: string; readonly message: string }
  | { readonly type: "dismissed"; readonly requestId: string }
  | {
      readonly type: "connection";
      readonly status: ConnectionStatus;
      readonly error: string | null;
    }
  /** Asked for when `asOf` was the newest slot that was loaded. */
  | { readonly type: "session"; readonly session: SessionView; readonly asOf: number }
  | { readonly type: "prompts"; readonly prompts: readonly PromptView[] }
  /** What is loaded is too far behind: begin with the newest page again. */
  | { readonly type: "restarted" };

export type Message = ToClient | LocalMessage;

export interface SessionState {
  readonly connection: { readonly status: ConnectionStatus; readonly error: string | null };
  /** As the server showed it last; `session(state)` is kept in step with events. */
  readonly view: SessionView | null;
  /** Events behind this slot are newer than `view`. */
  readonly viewedAt: number;
  readonly me: string | null;
  readonly participants: readonly Participant[];
  /** The part of the timeline that is loaded, without a hole; null: nothing yet. */
  readonly loaded: Loaded | null;
  /** What came before its neighbours did. */
  readonly loose: ReadonlyMap<number, FrameMessage>;
  /** The newest slot that is known to exist. */
  readonly tail: number;
  readonly prompts: ReadonlyMap<number, PromptView>;
  /** The number of the newest prompt that a view or the list told of. */
  readonly newest: number;
  readonly pending: readonly PendingPrompt[];
}
