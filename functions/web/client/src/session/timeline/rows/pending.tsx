/** What the reader has just sent, until the server tells everybody of it. */

import { Avatar } from "../../../design/avatar";
import { Button } from "../../../design/button";
import { Spinner } from "../../../design/spinner";
import { Attachments } from "../../attachments/attachments";
import type { PendingPrompt } from "../../state";
import "./prompt.css";

interface PendingProps {
  readonly prompt: PendingPrompt;
  readonly name: string;
  onAgain(): void;
  onDismiss(): void;
}

export function Pending({ prompt, name, onAgain, onDismiss }: PendingProps) {
  const refused = prompt.refused !== null;
  return (
    <article class="prompt" data-refused={refused || undefined} aria-label="Your prompt">
      <header class="prompt-head">
        <Avatar name={name} />
        <span class="prompt-author">{name}</span>
        {!refused && (
          <span class="prompt-sending">
            <Spinner size={12} /> {prompt.number === null ? "Sending" : "Waiting"}
          </span>
        )}
      </header>
      {prompt.text !== "" && <p class="prompt-text">{prompt.text}</p>}
      <Attachments files={prompt.attachments} />
      {refused && (
        <div class="prompt-refused" role="alert">
          <span>Not sent: {prompt.refused}</span>
          <Button onClick={onAgain}>Send again</Button>
          <Button kind="quiet" onClick={onDismiss}>
            Dismiss
          </Button>
        </div>
      )}
    </article>
  );
}
