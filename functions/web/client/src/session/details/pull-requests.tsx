/** Pull requests of the session, as their hosts have them now, and the means to open one. */

import { ExternalLink, GitPullRequest } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../design/button";
import { Icon } from "../../design/icon";
import type { PullRequestList, PullRequestView, SessionView } from "../../protocol";
import { OPENED_APART, safeHref } from "../timeline/prose/links";
import { useFetched } from "./fetched";
import { Section } from "./section";

interface PullRequestsProps {
  readonly session: SessionView;
  /** Changes when there may be more of them. */
  readonly news: string;
}

export function PullRequests({ session, news }: PullRequestsProps) {
  const [asked, setAsked] = useState(0);
  const [problem, setProblem] = useState("");
  const found = useFetched(
    (signal) => api.pullRequests(session.id, signal),
    session.id,
    `${news}/${asked}`,
  );
  const known: PullRequestList = found ?? {
    pullRequests: session.pullRequests,
    offers: session.offers,
  };
  const open = async (repository: string) => {
    setProblem("");
    try {
      await api.openPullRequest(session.id, { repository });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setAsked((times) => times + 1);
  };
  if (session.branch === null && known.pullRequests.length === 0 && known.offers.length === 0) {
    return null;
  }
  return (
    <Section title="Pull requests">
      <ul class="section-list">
        {known.pullRequests.map((each) => (
          <Known key={`${each.repository}/${each.number}`} told={each} />
        ))}
        {known.offers.map((each) => (
          <Line key={each.repository} href={each.url} text={`Open one for ${each.repository}`} />
        ))}
      </ul>
      {problem !== "" && <p role="alert">{problem}</p>}
      {lacking(session, known).map((name) => (
        <Button key={name} icon={GitPullRequest} onClick={() => open(name)}>
          {session.repositories.length === 1 ? "Open pull request" : `Open pull request: ${name}`}
        </Button>
      ))}
    </Section>
  );
}

/** Where one is open, or offered, or nothing was pushed, there is nothing to open. */
function lacking(session: SessionView, known: PullRequestList): readonly string[] {
  const open = known.pullRequests.filter((each) => each.state === "open");
  const taken = new Set([...open, ...known.offers].map((each) => each.repository));
  return session.repositories
    .filter((each) => each.pushedBranch !== null && !taken.has(each.name))
    .map((each) => each.name);
}

function Known({ told }: { readonly told: PullRequestView }) {
  const state = told.draft && told.state === "open" ? "draft" : told.state;
  return <Line href={told.url} text={`#${told.number} ${told.title}`} aside={state} />;
}

interface LineProps {
  readonly href: string;
  readonly text: string;
  readonly aside?: string;
}

function Line({ href: given, text, aside }: LineProps) {
  const href = safeHref(given);
  return (
    <li class="section-line">
      <Icon of={aside === undefined ? ExternalLink : GitPullRequest} size={14} />
      {href === null ? (
        <span class="section-grow">{text}</span>
      ) : (
        <a class="section-grow" href={href} {...OPENED_APART}>
          {text}
        </a>
      )}
      {aside !== undefined && <span class="section-aside">{aside}</span>}
    </li>
  );
}
