/** How a turn came out: in one line, and for one that failed what to do about it. */

import { Ban, CircleAlert, CircleCheck, CircleStop, type LucideIcon } from "lucide-preact";
import { Icon } from "../../../design/icon";
import { between, count, dollars, duration, total } from "../../format";
import type { Turn } from "../../state";
import { CopyButton } from "../code/copy-button";
import { firstLine } from "../tools/input";
import "./outcome.css";

interface Kind {
  readonly icon: LucideIcon;
  readonly word: string;
  readonly tone: "ok" | "bad" | "neutral";
}

const KINDS: Readonly<Record<string, Kind>> = {
  completed: { icon: CircleCheck, word: "Completed", tone: "ok" },
  failed: { icon: CircleAlert, word: "Failed", tone: "bad" },
  stopped: { icon: CircleStop, word: "Stopped", tone: "neutral" },
  cancelled: { icon: Ban, word: "Queued prompt cancelled", tone: "neutral" },
};

interface OutcomeProps {
  readonly turn: Turn | null;
}

export function Outcome({ turn }: OutcomeProps) {
  const kind = KINDS[turn?.status ?? ""];
  if (turn === null || kind === undefined) {
    return null;
  }
  return (
    <div class={`outcome outcome-${kind.tone}`}>
      <div class="outcome-line">
        <Icon of={kind.icon} size={14} class="outcome-icon" />
        <span class="outcome-word">{kind.word}</span>
        {turn.status === "cancelled" && (
          <span class="outcome-what">{firstLine(turn.text ?? "")}</span>
        )}
        {spent(turn).map((fact) => (
          <span key={fact} class="outcome-fact">
            {fact}
          </span>
        ))}
        {turn.saved && <span class="outcome-fact">Files saved</span>}
        {turn.branch !== null && <Branch name={turn.branch} />}
      </div>
      {turn.error !== null && turn.error !== "" && <Failure error={turn.error} turn={turn} />}
    </div>
  );
}

function Branch({ name }: { readonly name: string }) {
  return (
    <span class="outcome-branch">
      <code>{name}</code>
      <CopyButton text={name} what="Copy branch" />
    </span>
  );
}

function Failure({ error, turn }: { readonly error: string; readonly turn: Turn }) {
  const said = error.charAt(0).toUpperCase() + error.slice(1);
  const advised = /: (?:send|check|fix|the provider|its files|a rule)/.test(error);
  return (
    <div class="outcome-error">
      <p>{said}</p>
      {turn.status === "failed" && !advised && (
        <p class="outcome-advice">Its files are kept. Send a prompt to go on from here.</p>
      )}
    </div>
  );
}

function spent(turn: Turn): string[] {
  const { startedAt, finishedAt, tokens, cost } = turn;
  const facts: string[] = [];
  if (startedAt !== null && finishedAt !== null) {
    facts.push(duration(between(startedAt, finishedAt)));
  }
  if (cost > 0) {
    facts.push(dollars(cost));
  }
  const all = total(tokens);
  if (all > 0) {
    facts.push(`${count(all)} tokens`);
  }
  return facts;
}
