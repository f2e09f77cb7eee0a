/** Pull requests of the session, as their hosts have them now, and the means to open one. */

import { ExternalLink, GitPullRequest } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../../api";
import { Button } from "../../design/button";
import { Icon } from "../../design/icon";
import type { PullRequestOutcome, SessionView } from "../../protocol";
import { OPENED_APART, safeHref } from "../timeline/prose/links";
import { useFetched } from "./fetched";
import { type Standing, standings, stateOf } from "./pull-request-standing";
import { Section } from "./section";

interface PullRequestsProps {
  readonly session: SessionView;
  /** Changes when there may be more of them. */
  readonly news: string;
}

export function PullRequests({ session, news }: PullRequestsProps) {
  const { busy, said, asked, open } = useOpening(session.id);
  const found = useFetched(
    (signal) => api.pullRequests(session.id, signal),
    session.id,
    `${news}/${asked}`,
  );
  const all = standings(session, found ?? session);
  if (all.length === 0) {
    return null;
  }
  const several = session.repositories.length > 1;
  return (
    <Section title="Pull requests">
      <ul class="section-list">
        {all.map((each) => (
          <Known key={each.repository} of={each} named={several} />
        ))}
      </ul>
      {said && (
        <p class="section-said" role="alert">
          {several && <strong>{said.repository}: </strong>}
          {said.words}
        </p>
      )}
      {all
        .filter(({ canOpen }) => canOpen)
        .map(({ repository }) => (
          <Button
            key={repository}
            icon={GitPullRequest}
            class="section-button"
            busy={busy === repository}
            disabled={busy !== null}
            onClick={() => void open(repository)}
          >
            {several ? `Open pull request: ${repository}` : "Open pull request"}
          </Button>
        ))}
    </Section>
  );
}

interface Said {
  readonly repository: string;
  readonly words: string;
}

/** One at a time; what comes of it is in the list, what does not is said. */
function useOpening(session: string) {
  const [asked, setAsked] = useState(0);
  const [busy, setBusy] = useState<string | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const open = async (repository: string) => {
    setSaid(null);
    setBusy(repository);
    const words = await api
      .openPullRequest(session, { repository })
      .then(remarks, (error: unknown) => (error instanceof Error ? error.message : String(error)));
    setSaid(words === "" ? null : { repository, words });
    setBusy(null);
    setAsked((times) => times + 1);
  };
  return { busy, said, asked, open };
}

function remarks({ outcome, warnings = [] }: PullRequestOutcome): string {
  const offered = "It is yours to open, at its host: there is no token of yours for it here.";
  return [...(outcome === "offered" ? [offered] : []), ...warnings].join(" ");
}

interface KnownProps {
  readonly of: Standing;
  /** With one repository it goes without saying which. */
  readonly named: boolean;
}

function Known({ of, named }: KnownProps) {
  const where = named ? `${of.repository} ` : "";
  return (
    <>
      {of.known.map((each) => (
        <Line
          key={each.number}
          href={each.url}
          text={`${where}#${each.number} ${each.title}`}
          aside={stateOf(each)}
        />
      ))}
      {of.offers.map((url) => (
        <Line key={url} href={url} text={`Open one for ${of.repository}`} />
      ))}
    </>
  );
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
        <a class="section-grow" href={href} data-tip={text} {...OPENED_APART}>
          {text}
        </a>
      )}
      {aside !== undefined && <span class="section-aside">{aside}</span>}
    </li>
  );
}
