/** Prompts that wait for their turn, above the composer, each of which can be taken back. */

import { CircleAlert, CirclePause, X } from "lucide-preact";
import { Avatar } from "../../design/avatar";
import { Button, IconButton } from "../../design/button";
import { Icon } from "../../design/icon";
import { Spinner } from "../../design/spinner";
import type { SessionView } from "../../protocol";
import type { SessionActions } from "../actions";
import { moment, plural } from "../format";
import type { QueuedPrompt } from "../state";
import "./queue.css";

interface QueueProps {
  readonly session: SessionView;
  readonly waiting: readonly QueuedPrompt[];
  readonly actions: SessionActions;
}

export function Queue({ session, waiting, actions }: QueueProps) {
  if (waiting.length === 0 && !session.held && session.retryAt === null) {
    return null;
  }
  return (
    <section class="queue" aria-label="Queue" data-held={session.held || undefined}>
      {session.held && <Held count={waiting.length} onResume={actions.resumeQueue} />}
      {session.retryAt !== null && <Postponed at={session.retryAt} />}
      {waiting.length > 0 && !session.held && (
        <p class="queue-title">{plural(waiting.length, "prompt")} queued</p>
      )}
      {waiting.length > 0 && (
        <ol class="queue-list">
          {waiting.map((prompt) => (
            <Waiting key={prompt.key} prompt={prompt} actions={actions} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Held({ count, onResume }: { readonly count: number; onResume(): void }) {
  return (
    <div class="queue-held" role="status">
      <Icon of={CirclePause} size={14} />
      <p>
        The last turn was cut off by the end of its sandbox. {plural(count, "prompt")}{" "}
        {count === 1 ? "waits" : "wait"} until somebody resumes the queue.
      </p>
      <Button onClick={onResume}>Resume queued work</Button>
    </div>
  );
}

function Postponed({ at }: { readonly at: string }) {
  return (
    <p class="queue-title" role="status">
      Too many boots have failed. The next sandbox starts after {moment(at)}.
    </p>
  );
}

function Waiting({ prompt, actions }: { prompt: QueuedPrompt; actions: SessionActions }) {
  const { number, turn, pending } = prompt;
  const text = (turn?.text ?? pending?.text ?? "").trim();
  const author = turn?.author ?? null;
  const images = (turn?.attachments ?? pending?.attachments ?? []).length;
  const refused = pending?.refused ?? null;
  return (
    <li class="queue-one">
      <From author={author} refused={refused !== null} />
      <span class="queue-text">
        {text || plural(images, "image")}
        {refused !== null && (
          <span class="queue-refused" role="alert">
            Not sent: {refused}
          </span>
        )}
      </span>
      {text !== "" && images > 0 && <span class="queue-images">{plural(images, "image")}</span>}
      {pending !== null && refused !== null && (
        <Button onClick={() => actions.sendAgain(pending.requestId)}>Send again</Button>
      )}
      <TakeBack {...{ number, pending, text, actions }} />
    </li>
  );
}

function From({ author, refused }: { author: string | null; refused: boolean }) {
  if (author !== null) {
    return <Avatar name={author} label={author} />;
  }
  return refused ? <Icon of={CircleAlert} size={14} class="queue-alert" /> : <Spinner size={12} />;
}

interface TakeBackProps extends Pick<QueuedPrompt, "number" | "pending"> {
  readonly text: string;
  readonly actions: SessionActions;
}

function TakeBack({ number, pending, text, actions }: TakeBackProps) {
  const name = text.split("\n")[0]?.slice(0, 60) || "prompt";
  if (number !== null) {
    const cancel = () => actions.cancelPrompt(number);
    return <IconButton icon={X} label={`Cancel queued prompt: ${name}`} onClick={cancel} />;
  }
  if (pending === null || pending.refused === null) {
    return null;
  }
  const dismiss = () => actions.dismiss(pending.requestId);
  return <IconButton icon={X} label={`Dismiss: ${name}`} onClick={dismiss} />;
}
