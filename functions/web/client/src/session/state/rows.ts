/** What the timeline shows, row by row, in the order in which it happened. */

import type { Attached, ToolStatus } from "../../protocol";

/** Common to all rows: `key` never changes, whatever is loaded before, after or on top of it. */
interface At {
  readonly key: string;
  /** When it was first said. */
  readonly at: string;
  /** The sandbox that said it; null: the server did. */
  readonly attempt: number | null;
}

interface InTurn extends At {
  /** The number of the prompt. */
  readonly turn: number;
}

/** Where a turn begins. Its prompt, status, cost and times are `turn(state, row.turn)`. */
export interface PromptRow extends InTurn {
  readonly kind: "prompt";
}

/** The agent's words, as markdown. `whole`: nothing of it is missing in front. */
export interface TextRow extends InTurn {
  readonly kind: "text";
  readonly text: string;
  readonly whole: boolean;
  readonly final: boolean;
}

export interface ReasoningRow extends InTurn {
  readonly kind: "reasoning";
  readonly text: string;
}

export interface ToolRow extends InTurn {
  readonly kind: "tool";
  readonly call: string;
  readonly tool: string;
  readonly status: ToolStatus;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly error: string | null;
  readonly exitCode: number | null;
  /** When it was said to be over. */
  readonly endedAt: string | null;
}

export interface TodoItem {
  readonly content: string;
  /** `pending`, `in_progress`, `completed` or `cancelled`. */
  readonly status: string;
}

/** One a turn, always the latest list, where the first one stood. */
export interface TodosRow extends InTurn {
  readonly kind: "todos";
  readonly items: readonly TodoItem[];
}

/** The model refused for now; the harness asks again. */
export interface RetryRow extends InTurn {
  readonly kind: "retry";
  /** The first, the second time ... */
  readonly time: number;
  readonly reason: string;
}

export interface CommittedRow extends InTurn {
  readonly kind: "committed";
  readonly repository: string;
  readonly commit: string;
  readonly files: number;
}

export interface PushedRow extends InTurn {
  readonly kind: "pushed";
  readonly repository: string;
  readonly branch: string;
  readonly commit: string;
}

/** All that is changed since the session began, as it was compared after that turn. */
export interface ComparedRow extends InTurn {
  readonly kind: "compared";
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  /** How many have changes. */
  readonly repositories: number;
}

/** Where a turn ends: how is in `turn(state, row.turn)`. A prompt that was taken back never began. */
export interface OutcomeRow extends InTurn {
  readonly kind: "outcome";
}

export interface StopRow extends InTurn {
  readonly kind: "stop";
  /** Who asked; empty: the sandbox's lifetime did. */
  readonly by: string;
}

export interface WarningRow extends At {
  readonly kind: "warning";
  readonly message: string;
  readonly scope: string;
}

export interface ArtifactRow extends At {
  readonly kind: "artifact";
  readonly id: string;
  readonly artifact: string;
  readonly title: string;
  readonly url: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly file: Attached | null;
}

export interface BootPhase {
  readonly phase: string;
  readonly repository: string | null;
  readonly status: "started" | "completed" | "failed";
  readonly startedAt: string | null;
  readonly elapsedMs: number;
  readonly warning: string | null;
  readonly error: string | null;
  readonly outputTail: string | null;
}

/** How one sandbox, the one of that `attempt`, came up, and what became of it. */
export interface BootRow extends At {
  readonly kind: "boot";
  readonly attempt: number;
  /** `fresh`, `resume`, `restore` or `image`; null: that was said before what is loaded. */
  readonly boot: string | null;
  /** Its last known sandbox status. */
  readonly status: string | null;
  readonly reason: string | null;
  readonly error: string | null;
  readonly phases: readonly BootPhase[];
  readonly readyAt: string | null;
  readonly complete: boolean;
}

/** What a code host says of a pull request. */
export interface PullRequestNotice {
  readonly type: "pull_request";
  readonly repository: string;
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly state: string;
  /** In whose name it was opened here; null: somebody did at the host. */
  readonly author: string | null;
  readonly first: boolean;
}

/** Facts of the server that stand between turns. */
export interface NoticeRow extends At {
  readonly kind: "notice";
  readonly notice:
    | { readonly type: "queue_held"; readonly reason: string }
    | { readonly type: "queue_resumed"; readonly by: string }
    | { readonly type: "snapshot_saved" }
    | { readonly type: "tunnels"; readonly urls: Readonly<Record<string, string>> }
    | PullRequestNotice
    | {
        readonly type: "pull_request_offered";
        readonly repository: string;
        readonly url: string;
      }
    | { readonly type: "title"; readonly title: string }
    | { readonly type: "sandbox_ended"; readonly status: string; readonly reason: string | null }
    | { readonly type: "archived" }
    | { readonly type: "cancelled" };
}

/** Something that this client does not know yet. */
export interface UnknownRow extends At {
  readonly kind: "unknown";
  readonly type: string;
}

export type TurnItem =
  | TextRow
  | ReasoningRow
  | ToolRow
  | TodosRow
  | RetryRow
  | CommittedRow
  | PushedRow
  | ComparedRow
  | StopRow;

export type Row =
  | PromptRow
  | TurnItem
  | OutcomeRow
  | WarningRow
  | ArtifactRow
  | BootRow
  | NoticeRow
  | UnknownRow;
