/** Repositories, and the branch with the command that gets it. */

import { FolderGit2, GitBranch } from "lucide-preact";
import { Copy } from "../../design/copy";
import { Icon } from "../../design/icon";
import type { RepositoryView, SessionView } from "../../protocol";
import { fetchCommand } from "../standing";
import { OPENED_APART, safeHref } from "../timeline/prose/links";
import { SaveTarget } from "./save-target";
import { Section } from "./section";

export function Repositories({ session }: { readonly session: SessionView }) {
  return (
    <Section title={session.repositories.length === 1 ? "Repository" : "Repositories"}>
      {session.repositories.length === 0 && <p class="section-none">It works on none.</p>}
      <ul class="section-list">
        {session.repositories.map((repository) => (
          <li key={repository.url} class="section-line">
            <Icon of={FolderGit2} size={14} />
            <span class="section-grow" data-tip={repository.label || repository.url}>
              <Named name={repository.name} url={repository.label === "" ? repository.url : null} />
            </span>
            {repository.branch !== null && <code class="section-aside">{repository.branch}</code>}
          </li>
        ))}
      </ul>
      <SaveTarget session={session} />
    </Section>
  );
}

function Named({ name, url }: { readonly name: string; readonly url: string | null }) {
  const href = url === null ? null : safeHref(url);
  if (href === null) {
    return <span>{name}</span>;
  }
  return (
    <a href={href} {...OPENED_APART}>
      {name}
    </a>
  );
}

export function Branch({ session }: { readonly session: SessionView }) {
  const pushed = session.repositories.filter((repository) => repository.pushedBranch !== null);
  if (session.repositories.length === 0) {
    return null;
  }
  return (
    <Section title={pushed.length > 1 ? "Branches" : "Branch"}>
      {pushed.length === 0 && <p class="section-none">Nothing was pushed yet.</p>}
      {pushed.map((repository) => (
        <Pushed
          key={repository.name}
          repository={repository}
          named={session.repositories.length > 1}
        />
      ))}
    </Section>
  );
}

interface PushedProps {
  readonly repository: RepositoryView;
  /** With one repository it goes without saying which. */
  readonly named: boolean;
}

function Pushed({ repository, named }: PushedProps) {
  const { pushedBranch: branch, pushedCommit: commit } = repository;
  if (branch === null) {
    return null;
  }
  return (
    <>
      <p class="section-line">
        <Icon of={GitBranch} size={14} />
        <code class="section-grow">{named ? `${repository.name}: ${branch}` : branch}</code>
        {commit !== null && <code class="section-aside">{commit.slice(0, 10)}</code>}
      </p>
      <Copy text={fetchCommand(repository.label || repository.url, branch)} what="command" />
    </>
  );
}
