/** A page of sessions that has some. A search looks through so many at a time and may find none. */
import * as api from "../api";
import type { SessionList } from "../protocol";

const MOST_EMPTY = 20;

/** After that many empty pages in a row the answer is empty, with what to go on from. */
export async function findSessions(
  asked: api.SessionQuery,
  signal?: AbortSignal,
): Promise<SessionList> {
  let page = await api.sessions(asked, signal);
  for (let empty = 1; page.sessions.length === 0 && page.next !== null; empty += 1) {
    if (empty > MOST_EMPTY) break;
    page = await api.sessions({ ...asked, start: page.next }, signal);
  }
  return page;
}
