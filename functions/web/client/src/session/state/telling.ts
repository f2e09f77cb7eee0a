/** Each event as the row that it is, or is a piece of. */

import type { TimelineEvent, TodoEvent } from "../../protocol";
import { bootRow } from "./boots";
import { ENDED } from "./facts";
import type { ArtifactRow, NoticeRow, PullRequestNotice, Row, TodoItem, ToolRow } from "./rows";
import type { Said } from "./said";

export function rowsOf(event: TimelineEvent, said: Said): readonly Row[] {
  if (event.type === "sandbox_status") {
    return ofSandbox(event, said);
  }
  if (event.type === "prompt_finished") {
    return outcome(event, said);
  }
  const row =
    ofAgent(event, said) ?? ofTurn(event, said) ?? ofServer(event, said) ?? bootRow(event, said);
  return row === null ? [] : [row];
}

export function unknownRow(event: Readonly<Record<string, unknown>>, said: Said): Row {
  return { kind: "unknown", ...own(said), type: String(event.type ?? "") };
}

export function promptKey(turn: number): string {
  return `turn/${turn}`;
}

/** What one sandbox said of one part or call, in however many pieces. */
function ofAgent(event: TimelineEvent, said: Said): Row | null {
  switch (event.type) {
    case "text": {
      const { text, final = false } = event;
      return { kind: "text", ...part(event, event.part, said), text, whole: true, final };
    }
    case "text_delta": {
      const text = event.delta;
      return { kind: "text", ...part(event, event.part, said), text, whole: false, final: false };
    }
    case "reasoning":
      return { kind: "reasoning", ...part(event, event.part, said), text: event.text };
    case "tool":
      return tool(event, said);
    case "todo":
      return { kind: "todos", ...part(event, "", said), items: todoItems(event) };
    default:
      return null;
  }
}

function ofTurn(event: TimelineEvent, said: Said): Row | null {
  const turn = "prompt" in event ? event.prompt : 0;
  switch (event.type) {
    case "prompt_dispatched":
    case "prompt_started":
      return promptRow(turn, said);
    case "stop_requested":
      return { kind: "stop", ...servers(said), turn, by: event.by ?? "" };
    case "retrying":
      return { kind: "retry", ...own(said), turn, time: event.attempt ?? 1, reason: event.reason };
    case "committed": {
      const { repository, commit, files = 0 } = event;
      return { kind: "committed", ...own(said), turn, repository, commit, files };
    }
    case "pushed": {
      const { repository, branch, commit } = event;
      return { kind: "pushed", ...servers(said), turn, repository, branch, commit };
    }
    case "changes_updated": {
      return { kind: "compared", ...own(said), turn, ...much(event) };
    }
    default:
      return null;
  }
}

function ofServer(event: TimelineEvent, said: Said): Row | null {
  switch (event.type) {
    case "warning":
      return { kind: "warning", ...own(said), message: event.message, scope: event.scope ?? "" };
    case "artifact_created":
      // The push of a branch says the same.
      return event.kind === "branch" ? null : artifact(event, said);
    case "queue_held":
      return notice({ type: "queue_held", reason: event.reason }, said);
    case "queue_resumed":
      return notice({ type: "queue_resumed", by: event.by ?? "" }, said);
    case "snapshot_saved":
      // It comes late, under the next prompt maybe: the end of its own turn tells of it.
      return event.prompt > 0 ? null : notice({ type: "snapshot_saved" }, said);
    case "tunnels":
      return notice({ type: "tunnels", urls: event.urls }, said);
    case "pull_request":
      return notice(pullRequest(event), said);
    case "pull_request_offered":
      return notice(
        { type: "pull_request_offered", repository: event.repository, url: event.url },
        said,
      );
    case "title":
      return notice({ type: "title", title: event.title }, said);
    case "session_status":
      return event.status === "archived" || event.status === "cancelled"
        ? notice({ type: event.status }, said)
        : null;
    default:
      return null;
  }
}

/** One whose sandbox never came up was not begun: it is told with its end, if it was not taken back. */
function outcome({ prompt: turn, status }: About<"prompt_finished">, said: Said): readonly Row[] {
  const row: Row = { kind: "outcome", key: `outcome/${turn}`, at: said.at, attempt: null, turn };
  return status === "cancelled" ? [row] : [promptRow(turn, said), row];
}

function promptRow(turn: number, { at }: Said): Row {
  return { kind: "prompt", key: promptKey(turn), at, attempt: null, turn };
}

/** Its boot knows how it is; that it has ended stands where that happened, too. */
function ofSandbox(event: About<"sandbox_status">, said: Said): readonly Row[] {
  const { status, reason = null } = event;
  const boot = bootRow(event, said) ?? [];
  return [
    boot,
    ENDED.has(status) ? notice({ type: "sandbox_ended", status, reason }, said) : [],
  ].flat();
}

type About<T extends TimelineEvent["type"]> = Extract<TimelineEvent, { type: T }>;

const TOOL_OVER: ReadonlySet<string> = new Set(["completed", "error"]);

function tool(event: About<"tool">, said: Said): ToolRow {
  return {
    kind: "tool",
    ...part(event, event.call, said),
    call: event.call,
    tool: event.tool,
    status: event.status,
    title: event.title ?? "",
    input: event.input ?? {},
    output: event.output ?? "",
    error: event.error ?? null,
    exitCode: event.exitCode ?? null,
    endedAt: TOOL_OVER.has(event.status) ? said.at : null,
  };
}

function much(event: About<"changes_updated">) {
  return {
    files: event.files ?? 0,
    additions: event.additions ?? 0,
    deletions: event.deletions ?? 0,
    repositories: event.repositories ?? 0,
  };
}

function todoItems(event: TodoEvent): TodoItem[] {
  const items = Array.isArray(event.items) ? event.items : [];
  return items.map((item) => ({ content: item.content ?? "", status: item.status ?? "pending" }));
}

function artifact(event: About<"artifact_created">, said: Said): ArtifactRow {
  return {
    kind: "artifact",
    key: `artifact/${event.id}`,
    at: said.at,
    attempt: null,
    id: event.id,
    artifact: event.kind,
    title: event.title ?? "",
    url: event.url ?? null,
    metadata: event.metadata ?? {},
    file: event.file ?? null,
  };
}

function pullRequest(event: About<"pull_request">): PullRequestNotice {
  return {
    type: "pull_request",
    repository: event.repository,
    number: event.number,
    url: event.url,
    title: event.title ?? "",
    state: event.draft && event.state === "open" ? "draft" : event.state,
    author: event.author ?? null,
    first: event.first ?? false,
  };
}

function notice(what: NoticeRow["notice"], said: Said): NoticeRow {
  return { kind: "notice", ...servers(said), notice: what };
}

function part(
  event: About<"text" | "text_delta" | "reasoning" | "tool" | "todo">,
  id: string,
  said: Said,
) {
  const kind = event.type === "text_delta" ? "text" : event.type;
  const { at, attempt } = said;
  return { key: `${attempt}/${kind}/${event.prompt}/${id}`, at, attempt, turn: event.prompt };
}

/** A row of its own. */
function own({ seq, index, at, attempt }: Said) {
  return { key: `${seq}/${index}`, at, attempt };
}

/** What the server says counts also when a sandbox was what made it say so. */
function servers(said: Said) {
  return { ...own(said), attempt: null };
}
