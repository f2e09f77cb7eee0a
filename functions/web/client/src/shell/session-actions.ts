/** What can be done to a session from a list, the command menu or its own page. */
import { signal } from "@preact/signals";
import * as api from "../api";
import { toast } from "../design/toast";
import type { SessionView } from "../protocol";
import { attempt } from "./attempt";
import { optimistically, rowOf } from "./inbox";
import { titleOf } from "./session-names";

/** The dialog that is open. */
export const asking = signal<{ what: "rename" | "archive"; session: SessionView } | null>(null);

/** Told of every session that was changed here, so that other lists can show it. */
export const changed = signal<SessionView | null>(null);

/** In order for each session, so that an archive that is taken back can't arrive last. */
const queues = new Map<string, Promise<unknown>>();

export function askRename(session: SessionView): void {
  asking.value = { what: "rename", session };
}

export function askArchive(session: SessionView): void {
  asking.value = { what: "archive", session };
}

/** Whether it is called so now. */
export async function rename(session: SessionView, title: string): Promise<boolean> {
  const { id } = session;
  const change = { kind: "rename", session: id, title } as const;
  return carriedOut("rename", () =>
    optimistically(
      change,
      inOrder(id, () => api.rename(id, title)),
    ),
  );
}

export async function archive(session: SessionView): Promise<void> {
  const { id } = session;
  const row = rowOf(id) ?? { session, unread: false };
  toast(`Archived “${titleOf(session)}”`, {
    action: { label: "Undo", run: () => void restore(session, row) },
  });
  const change = { kind: "archive", session: id } as const;
  await carriedOut("archive", () =>
    optimistically(
      change,
      inOrder(id, () => api.archive(id)),
    ),
  );
}

export async function restore(
  session: SessionView,
  row = { session, unread: false },
): Promise<void> {
  const { id } = session;
  const change = { kind: "show", session: id, row } as const;
  await carriedOut("restore", () =>
    optimistically(
      change,
      inOrder(id, () => api.unarchive(id)),
    ),
  );
}

/**
 * Up to the newest turn that has finished; for the session's page: up to the one that is seen.
 * Whether it is marked so now.
 */
export async function markRead(session: SessionView, prompt = session.finished): Promise<boolean> {
  if (prompt === null) return false;
  const { id } = session;
  const change = { kind: "read", session: id, prompt } as const;
  return attempt("mark as read", async () => {
    await optimistically(
      change,
      inOrder(id, () => api.markRead(id, prompt)),
    );
  });
}

async function carriedOut(what: string, act: () => Promise<SessionView>): Promise<boolean> {
  return attempt(what, async () => {
    changed.value = await act();
  });
}

function inOrder<Value>(id: string, act: () => Promise<Value>): () => Promise<Value> {
  return () => {
    const before = queues.get(id) ?? Promise.resolve();
    const mine = before.then(act, act);
    queues.set(id, mine);
    return mine;
  };
}
