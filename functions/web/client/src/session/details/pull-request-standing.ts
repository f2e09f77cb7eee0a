/** How each repository of a session stands with its pull requests, in the session's order. */

import type { PullRequestList, PullRequestView, SessionView } from "../../protocol";

export interface Standing {
  readonly repository: string;
  readonly known: readonly PullRequestView[];
  /** Where a person opens it at the host. */
  readonly offers: readonly string[];
  readonly canOpen: boolean;
}

export function standings(session: SessionView, list: PullRequestList): readonly Standing[] {
  const here = session.repositories.map(({ name }) => name);
  const told = [...list.pullRequests, ...list.offers].map(({ repository }) => repository);
  return [...new Set([...here, ...told])]
    .map((repository) => standing(session, list, repository))
    .filter(({ known, offers, canOpen }) => known.length > 0 || offers.length > 0 || canOpen);
}

export function stateOf({ draft, state }: PullRequestView): string {
  return draft && state === "open" ? "draft" : state;
}

function standing(session: SessionView, list: PullRequestList, repository: string): Standing {
  const known = list.pullRequests.filter((each) => each.repository === repository);
  const offers = list.offers.filter((each) => each.repository === repository);
  const pushed = session.repositories.find(({ name }) => name === repository);
  const has = (commit: string | null) =>
    known.some(({ state, headCommit }) => {
      return state === "open" || (state === "merged" && headCommit === commit);
    });
  return {
    repository,
    known,
    offers: offers.map(({ url }) => url),
    canOpen: pushed?.pushedBranch != null && !has(pushed.pushedCommit),
  };
}
