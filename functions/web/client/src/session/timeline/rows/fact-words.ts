/** What is said in one line: between turns, and about what becomes of a turn's work. */

import { lookup } from "../../../design/lookup";
import { sandboxStatus, type Tone } from "../../../design/status";
import { plural } from "../../format";
import type { PullRequestNotice, PushedRow, Row } from "../../state";

export type FactIcon =
  | "archived"
  | "cancelled"
  | "commit"
  | "held"
  | "port"
  | "pull_request"
  | "push"
  | "resumed"
  | "retry"
  | "sandbox"
  | "saved"
  | "stop"
  | "unknown"
  | "warning";

export interface Fact {
  readonly icon: FactIcon;
  readonly tone: Tone;
  readonly text: string;
  /** What of it is copied rather than read. */
  readonly code?: string;
  readonly href?: string;
  /** It is there for whoever looks for it. */
  readonly quiet?: boolean;
}

export type FactRow = Extract<
  Row,
  { kind: "retry" | "committed" | "pushed" | "stop" | "warning" | "notice" | "unknown" }
>;

/** `several`: repositories, which have to be told apart. */
export function facts(row: FactRow, several: boolean): readonly Fact[] {
  switch (row.kind) {
    case "retry":
      return [{ icon: "retry", tone: "warn", text: refused(row.time, row.reason) }];
    case "committed": {
      const text = `Committed ${plural(row.files, "file")} in ${row.repository} as`;
      return [{ icon: "commit", tone: "neutral", text, code: row.commit.slice(0, 10) }];
    }
    case "pushed":
      return [pushed(row, several)];
    case "stop": {
      const text = row.by === "" ? "Its sandbox's lifetime ends" : `${row.by} asked it to stop`;
      return [{ icon: "stop", tone: "neutral", text }];
    }
    case "warning":
      return [warning(row.message, row.scope)];
    case "unknown":
      return [{ icon: "unknown", tone: "neutral", text: `Event ${row.type}`, quiet: true }];
    case "notice":
      return noticed(row.notice);
  }
}

function pushed({ repository, branch }: PushedRow, several: boolean): Fact {
  const text = several ? `Pushed ${repository} to` : "Pushed";
  return { icon: "push", tone: "neutral", text, code: branch };
}

function noticed(notice: Extract<Row, { kind: "notice" }>["notice"]): readonly Fact[] {
  switch (notice.type) {
    case "queue_held":
      return [{ icon: "held", tone: "warn", text: `The queue is held: ${notice.reason}` }];
    case "queue_resumed":
      return [{ icon: "resumed", tone: "neutral", text: `${notice.by} resumed the queue` }];
    case "snapshot_saved":
      return [{ icon: "saved", tone: "neutral", text: "Files saved", quiet: true }];
    case "tunnels":
      return Object.entries(notice.urls).map(([port, href]) => opened(port, href));
    case "pull_request":
      return [pullRequest(notice)];
    case "pull_request_offered": {
      const text = `${notice.repository} is pushed: open a pull request at`;
      return [{ icon: "pull_request", tone: "neutral", text, code: notice.url, href: notice.url }];
    }
    case "title":
      return []; // the header has it
    case "sandbox_ended":
      return [ended(notice.status, notice.reason)];
    case "archived":
      return [{ icon: "archived", tone: "neutral", text: "Session archived" }];
    case "cancelled":
      return [{ icon: "cancelled", tone: "neutral", text: "Session cancelled" }];
  }
}

function pullRequest(notice: PullRequestNotice): Fact {
  const by = notice.author === null ? "" : ` as ${notice.author}`;
  const text = notice.first
    ? `Pull request of ${notice.repository}${by}: ${notice.state}`
    : `Pull request of ${notice.repository} is ${notice.state} now`;
  const code = `#${notice.number} ${notice.title}`.trim();
  return { icon: "pull_request", tone: "neutral", text, code, href: notice.url };
}

const ENDINGS: Readonly<Record<string, string>> = {
  inactive: "Sandbox stopped after inactivity. It restarts with the next prompt.",
  lifetime: "Sandbox stopped at the end of its lifetime. The next prompt starts another.",
  cancelled: "Sandbox stopped with its session",
  image: "The prebuilt image could not be used. The next sandbox starts without it.",
  damaged: "Sandbox woke without files that it had. Another is made from the last copy.",
  retargeted: "Sandbox stopped: another target was chosen",
};

/** Why a sandbox failed is told by its boot, or by the turn that it was lost in. */
function ended(status: string, reason: string | null): Fact {
  const known = lookup(ENDINGS, reason ?? "");
  if (known !== undefined) {
    return { icon: "sandbox", tone: "neutral", text: known, quiet: true };
  }
  const label = sandboxStatus(status).label.toLowerCase();
  return { icon: "sandbox", tone: "neutral", text: `Sandbox ${label}`, quiet: true };
}

function opened(port: string, href: string): Fact {
  return { icon: "port", tone: "neutral", text: `Port ${port} is open at`, code: href, href };
}

function warning(message: string, scope: string): Fact {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return scope === "inactivity"
    ? { icon: "sandbox", tone: "neutral", text, quiet: true }
    : { icon: "warning", tone: "warn", text };
}

function refused(time: number, reason: string): string {
  const times = time > 1 ? ` (${time} times)` : "";
  return `The model refused for now${times}, trying again: ${reason}`;
}
