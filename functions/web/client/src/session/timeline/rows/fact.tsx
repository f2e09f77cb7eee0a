/** A fact in one line. */

import {
  Archive,
  ArrowUpFromLine,
  Ban,
  CirclePause,
  CirclePlay,
  CircleStop,
  Clock,
  Ellipsis,
  GitCommitHorizontal,
  GitPullRequest,
  type LucideIcon,
  Network,
  RotateCw,
  Save,
  TriangleAlert,
} from "lucide-preact";
import { useContext } from "preact/hooks";
import { classes } from "../../../design/class-names";
import { Icon } from "../../../design/icon";
import { OPENED_APART, safeHref } from "../prose/links";
import { SeveralRepositories } from "../session-id";
import { type FactIcon, type FactRow, type Fact as FactValue, facts } from "./fact-words";
import "./fact.css";

const ICONS: Readonly<Record<FactIcon, LucideIcon>> = {
  archived: Archive,
  cancelled: Ban,
  commit: GitCommitHorizontal,
  held: CirclePause,
  port: Network,
  pull_request: GitPullRequest,
  push: ArrowUpFromLine,
  resumed: CirclePlay,
  retry: RotateCw,
  sandbox: Clock,
  saved: Save,
  stop: CircleStop,
  unknown: Ellipsis,
  warning: TriangleAlert,
};

export function Facts({ row }: { readonly row: FactRow }) {
  const several = useContext(SeveralRepositories);
  return (
    <>
      {facts(row, several).map((fact) => (
        <Fact key={`${fact.text}${fact.code}`} fact={fact} />
      ))}
    </>
  );
}

function Fact({ fact }: { readonly fact: FactValue }) {
  return (
    <div class={classes("fact", `fact-${fact.tone}`, fact.quiet && "fact-quiet")}>
      <Icon of={ICONS[fact.icon]} size={14} class="fact-icon" />
      <p class="fact-text">
        {fact.text} <Code fact={fact} />
      </p>
    </div>
  );
}

function Code({ fact }: { readonly fact: FactValue }) {
  const href = fact.href === undefined ? null : safeHref(fact.href);
  if (fact.code === undefined) {
    return null;
  }
  return href === null ? (
    <code class="fact-code">{fact.code}</code>
  ) : (
    <a class="fact-code" href={href} {...OPENED_APART}>
      {fact.code}
    </a>
  );
}
