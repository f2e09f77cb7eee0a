/** What somebody asked for: who, when, in their words, with what they showed. */

import { Avatar } from "../../../design/avatar";
import { Badge } from "../../../design/badge";
import { Attachments } from "../../attachments/attachments";
import { Moment } from "../../moment";
import type { Turn } from "../../state";
import { useWholePrompt } from "../whole-prompt";
import "./prompt.css";

interface PromptProps {
  readonly turn: Turn | null;
  readonly number: number;
  readonly at: string;
}

export function Prompt({ turn, number, at }: PromptProps) {
  const text = useWholePrompt(number, turn);
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
      {text === null ? (
        <p class="prompt-missing">Loading…</p>
      ) : (
        text !== "" && <p class="prompt-text">{text}</p>
      )}
      <Attachments files={turn?.attachments ?? []} />
    </article>
  );
}
