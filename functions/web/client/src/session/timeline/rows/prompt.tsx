/** What somebody asked for: who, when, in their words, with what they showed. */

import { Avatar } from "../../../design/avatar";
import { Badge } from "../../../design/badge";
import { Attachments } from "../../attachments/attachments";
import { Moment } from "../../moment";
import type { Turn } from "../../state";
import { PromptText } from "./prompt-text";
import "./prompt.css";

interface PromptProps {
  readonly turn: Turn | null;
  readonly number: number;
  readonly at: string;
}

export function Prompt({ turn, number, at }: PromptProps) {
  const author = turn?.author ?? null;
  return (
    <article
      class="prompt"
      aria-label={`Prompt ${number}${author === null ? "" : ` by ${author}`}`}
    >
      <header class="prompt-head">
        {author !== null && <Avatar name={author} />}
        <span class="prompt-author">{author ?? `Prompt ${number}`}</span>
        <Moment at={turn?.queuedAt ?? at} />
        {turn?.status === "queued" && <Badge>Waiting</Badge>}
      </header>
      {turn?.text == null ? (
        <p class="prompt-missing">Loading…</p>
      ) : (
        <PromptText text={turn.text} excerpt={turn.excerpt} number={number} />
      )}
      <Attachments files={turn?.attachments ?? []} />
    </article>
  );
}
