/** What the panel says beside the lines themselves. */

import { sandboxStatus, type Tone } from "../../design/status";
import type { ChangedFile, ChangesView, SessionView } from "../../protocol";
import { moment } from "../format";

/** Whether somebody waits for another comparison, and whether it is in sight. */
export type Waiting = "no" | "yes" | "in vain";

export interface Note {
  readonly tone: Tone;
  readonly text: string;
  /** It goes on right now. */
  readonly busy?: boolean;
}

const STATUS: Readonly<Record<ChangedFile["status"], string>> = {
  added: "Added",
  modified: "Modified",
  deleted: "Deleted",
  renamed: "Renamed",
  type_changed: "Type changed",
  unmerged: "In conflict",
  submodule: "Submodule",
};

const RENDER: Readonly<Record<string, string>> = {
  binary: "binary",
  too_large: "too large",
  metadata_only: "no lines",
};

const NOTHING: Readonly<Record<string, string>> = {
  binary: "A binary file: it has no lines to show",
  too_large: "The file or its changes are too large to be shown",
  metadata_only: "There are no lines to show, or no room was left for them",
};

export function statusWord(file: ChangedFile): string {
  return STATUS[file.status] ?? file.status;
}

/** What is said of it in its line; null: its lines can be shown. */
export function renderWord(file: ChangedFile): string | null {
  return file.render === "renderable" ? null : (RENDER[file.render] ?? "not shown");
}

/** null: there are lines. */
export function nothingToShow(file: ChangedFile): string | null {
  return file.render === "renderable" ? null : (NOTHING[file.render] ?? "It can't be shown here");
}

export function canAsk(session: SessionView): boolean {
  return session.sandbox.status === "ready" || session.sandbox.status === "snapshotting";
}

/** Whether the newest turn that is over is not in what was compared. */
export function isBehind(view: ChangesView, session: SessionView): boolean {
  return (view.prompt ?? 0) < (session.finished ?? 0);
}

export function asOf(view: ChangesView): string {
  const when = view.comparedAt === null ? "" : `As of ${moment(view.comparedAt)}`;
  const what = view.prompt ? `after prompt ${view.prompt}` : "";
  return [when, what].filter(Boolean).join(", ");
}

/** Why nothing is shown, when nothing is. */
export function emptiness(
  view: ChangesView,
  session: SessionView,
): { readonly title: string; readonly text: string } {
  if (session.repositories.length === 0) {
    return { title: "Nothing to compare", text: "This session works on no repository." };
  }
  if (view.revision !== null) {
    return { title: "No changes", text: "The files are as they were when the session began." };
  }
  if (view.error !== null) {
    return { title: "Nothing could be compared yet", text: "" };
  }
  return {
    title: "No changes yet",
    text: "What a turn changes is shown here as soon as the turn is over.",
  };
}

export function notes(view: ChangesView, session: SessionView, waiting: Waiting): readonly Note[] {
  const all = [failure(view), progress(view, session, waiting), left(view), gone(view, session)];
  return all.filter((note) => note !== null);
}

function failure({ error, revision }: ChangesView): Note | null {
  if (error === null) {
    return null;
  }
  const before = revision === null ? "" : ". What is shown is from before";
  return { tone: "bad", text: `The last comparison failed: ${error}${before}` };
}

function progress(view: ChangesView, session: SessionView, waiting: Waiting): Note | null {
  if (waiting === "yes") {
    return { tone: "neutral", text: "The files are being compared", busy: true };
  }
  if (waiting === "in vain") {
    return { tone: "warn", text: "The sandbox was asked to compare and has not answered yet" };
  }
  if (session.running !== null) {
    const text = `Prompt ${session.running} runs: what it changes is shown when it is over`;
    return { tone: "neutral", text };
  }
  if (session.repositories.length > 0 && view.error === null && isBehind(view, session)) {
    const text = `The files were not compared since prompt ${session.finished} ended`;
    return { tone: "warn", text };
  }
  return null;
}

function left({ truncated }: ChangesView): Note | null {
  const text = "There is too much to show all of it: files or their lines are left out";
  return truncated ? { tone: "warn", text } : null;
}

function gone(view: ChangesView, session: SessionView): Note | null {
  if (view.revision === null || canAsk(session)) {
    return null;
  }
  const how = sandboxStatus(session.sandbox.status).label.replace(/\.+$/, "").toLowerCase();
  return { tone: "neutral", text: `Sandbox ${how}: this is what was handed in last` };
}
