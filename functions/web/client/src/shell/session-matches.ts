/** Sessions that match a search: those of the inbox at once, the server's others a moment later. */
import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import type { InboxRow, SessionView } from "../protocol";
import { findSessions } from "../sessions/find";
import { inbox } from "./inbox";
import { rows } from "./inbox-changes";
import { repositoryName } from "./session-names";

const AFTER_MS = 180;
const MOST = 30;

export function useSearch(query: string): { rows: InboxRow[]; searching: boolean } {
  const [found, setFound] = useState<{ query: string; sessions: SessionView[] } | null>(null);
  useEffect(() => {
    if (!query) return;
    const end = new AbortController();
    const search = async () => {
      const sessions = await asked(query, end.signal);
      if (!end.signal.aborted) setFound({ query, sessions });
    };
    const timer = setTimeout(search, AFTER_MS);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [query]);
  const near =
    inbox.value && query ? rows(inbox.value).filter((row) => matches(row.session, query)) : [];
  const known = new Set(near.map((row) => row.session.id));
  const far = found?.query === query ? found.sessions.filter((each) => !known.has(each.id)) : [];
  return {
    rows: [...near, ...far.map((session) => ({ session, unread: false }))],
    searching: found?.query !== query,
  };
}

/** Every word is in the title, the id or a repository. */
function matches(session: SessionView, query: string): boolean {
  const names = session.repositories.map(repositoryName).join(" ");
  const said = `${session.title} ${session.id} ${names}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}

/** Without an answer there is what the inbox has. */
async function asked(query: string, signal: AbortSignal): Promise<SessionView[]> {
  try {
    return (await findSessions({ query, lifecycle: "open", limit: MOST }, signal)).sessions;
  } catch (error) {
    if (error instanceof api.ApiError || signal.aborted) return [];
    throw error;
  }
}
