/** The sessions that were asked for, page by page. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import type { SessionView } from "../protocol";
import { changed } from "../shell/session-actions";
import { findSessions } from "./find";
import type { Asked } from "./query";

const PAGE = 50;
const AFTER_MS = 180;

export interface Pages {
  sessions: SessionView[];
  /** null: nothing came for what is asked yet. */
  loaded: boolean;
  loading: boolean;
  more: boolean;
  error: api.ApiError | null;
  loadMore: () => void;
  retry: () => void;
}

interface State {
  sessions: SessionView[];
  next: string | null;
  loaded: boolean;
  loading: boolean;
  error: api.ApiError | null;
}

const NOTHING: State = { sessions: [], next: null, loaded: false, loading: true, error: null };

export function usePages({ query, lifecycle }: Asked): Pages {
  const [state, setState] = useState(NOTHING);
  const end = useRef<AbortController | null>(null);

  const fetch = useCallback(
    async (start: string | null) => {
      end.current?.abort();
      const ending = new AbortController();
      end.current = ending;
      setState((before) => ({ ...before, loading: true, error: null }));
      try {
        const asked = { query, lifecycle, start, limit: PAGE };
        const page = await findSessions(asked, ending.signal);
        setState((before) => ({
          sessions: start ? [...before.sessions, ...page.sessions] : page.sessions,
          next: page.next,
          loaded: true,
          loading: false,
          error: null,
        }));
      } catch (error) {
        if (ending.signal.aborted) return;
        if (!(error instanceof api.ApiError)) throw error;
        setState((before) => ({ ...before, loading: false, error }));
      }
    },
    [query, lifecycle],
  );

  useEffect(() => {
    const timer = setTimeout(fetch, query ? AFTER_MS : 0, null);
    return () => {
      clearTimeout(timer);
      end.current?.abort();
    };
  }, [fetch, query]);

  const update = changed.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value is what has to be shown.
  useEffect(() => {
    if (update) setState((before) => ({ ...before, sessions: updated(before.sessions, update) }));
  }, [update]);

  return {
    ...state,
    sessions: state.sessions.filter((each) => belongs(each, lifecycle)),
    more: state.next !== null,
    loadMore: () => void fetch(state.next),
    retry: () => void fetch(null),
  };
}

function updated(sessions: SessionView[], update: SessionView): SessionView[] {
  return sessions.map((each) => (each.id === update.id ? update : each));
}

/** One that was just archived or restored here leaves the list it was in. */
function belongs(session: SessionView, lifecycle: Asked["lifecycle"]): boolean {
  const archived = session.status === "archived";
  return lifecycle === "all" || archived === (lifecycle === "archived");
}
