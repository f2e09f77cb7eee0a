/** The repositories that the code hosts offer, as far as anybody has looked. */
import { signal } from "@preact/signals";
import * as api from "../api";
import type { ForgeProblem, ForgeRepositoryList, ForgeRepositoryView } from "../protocol";

export interface Offered {
  readonly found: readonly ForgeRepositoryView[];
  /** When the hosts said so; null: nobody has. */
  readonly asOf: string | null;
  /** Of the hosts that did not answer; what the others have is in `found`. */
  readonly silent: readonly ForgeProblem[];
  readonly busy: boolean;
  readonly problem: string | null;
}

type Ask = (query: string, signal: AbortSignal) => Promise<ForgeRepositoryList>;

/** As many as the server lists: there may be more, which it finds by words. */
export const MOST_LISTED = 200;
const FRESH_MS = 60_000;
const PAUSE_MS = 250;

export function createOffered(ask: Ask, now: () => number = Date.now) {
  const state = signal<Offered>({
    found: [],
    asOf: null,
    silent: [],
    busy: false,
    problem: null,
  });
  let everything: Offered | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async (query: string): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const { signal: mine } = asking;
    state.value = { ...state.value, busy: true };
    try {
      const { repositories, asOf, problems } = await ask(query, mine);
      if (mine.aborted) return;
      state.value = {
        found: repositories,
        asOf,
        silent: problems,
        busy: false,
        problem: null,
      };
      if (query !== "") return;
      everything = state.value;
      askedAt = now();
    } catch (error) {
      if (mine.aborted) return;
      if (!(error instanceof api.ApiError)) throw error;
      state.value = { ...state.value, busy: false, problem: error.message };
    }
  };

  return {
    state,
    again: () => look(""),
    /** All of them, if nobody has looked of late; words only where more than all may be there. */
    search(text: string): void {
      clearTimeout(timer);
      const query = text.trim();
      const truncated = (everything?.found.length ?? 0) >= MOST_LISTED;
      if (query !== "") {
        if (truncated) timer = setTimeout(() => void look(query), PAUSE_MS);
      } else if (everything === null || now() - askedAt >= FRESH_MS) {
        void look("");
      } else {
        asking.abort();
        state.value = everything;
      }
    },
  };
}

export const offered = createOffered(api.forgeRepositories);
