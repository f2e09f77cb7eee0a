/** What we have asked for and the server's list may not show yet: laid over every answer. */
import type { Inbox, InboxRow } from "../protocol";

export type Change =
  | { readonly kind: "archive"; readonly session: string }
  | { readonly kind: "show"; readonly session: string; readonly row: InboxRow }
  | { readonly kind: "rename"; readonly session: string; readonly title: string }
  | { readonly kind: "read"; readonly session: string; readonly prompt: number };

export function applied(inbox: Inbox, changes: readonly Change[]): Inbox {
  return changes.reduce(apply, inbox);
}

function apply(inbox: Inbox, change: Change): Inbox {
  switch (change.kind) {
    case "archive":
      return without(inbox, change.session);
    case "show":
      return has(inbox, change.session) ? inbox : placed(inbox, change.row);
    case "rename":
      return mapped(inbox, change.session, (row) => ({
        ...row,
        session: { ...row.session, title: change.title },
      }));
    case "read":
      return read(inbox, change.session, change.prompt);
  }
}

/** Not if another turn has finished since. */
function read(inbox: Inbox, session: string, prompt: number): Inbox {
  const row = rows(inbox).find((each) => each.session.id === session);
  if (!row?.unread || (row.session.finished ?? 0) > prompt) return inbox;
  return placed(without(inbox, session), { ...row, unread: false });
}

/** Where the server would have it; in each group the newest is first. */
function placed(inbox: Inbox, row: InboxRow): Inbox {
  if (row.unread) return { ...inbox, needsAttention: inserted(inbox.needsAttention, row) };
  if (row.session.status === "active") {
    return { ...inbox, inProgress: inserted(inbox.inProgress, row) };
  }
  return { ...inbox, recent: inserted(inbox.recent, row) };
}

function inserted(list: InboxRow[], row: InboxRow): InboxRow[] {
  const older = list.findIndex((each) => each.session.updatedAt < row.session.updatedAt);
  return older < 0 ? [...list, row] : list.toSpliced(older, 0, row);
}

export function rows(inbox: Inbox): InboxRow[] {
  return [...inbox.needsAttention, ...inbox.inProgress, ...inbox.recent];
}

function has(inbox: Inbox, session: string): boolean {
  return rows(inbox).some((row) => row.session.id === session);
}

function without(inbox: Inbox, session: string): Inbox {
  return each(inbox, (list) => list.filter((row) => row.session.id !== session));
}

function mapped(inbox: Inbox, session: string, change: (row: InboxRow) => InboxRow): Inbox {
  return each(inbox, (list) => list.map((row) => (row.session.id === session ? change(row) : row)));
}

function each(inbox: Inbox, change: (list: InboxRow[]) => InboxRow[]): Inbox {
  return {
    ...inbox,
    needsAttention: change(inbox.needsAttention),
    inProgress: change(inbox.inProgress),
    recent: change(inbox.recent),
  };
}
