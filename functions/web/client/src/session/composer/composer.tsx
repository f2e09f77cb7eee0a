/** Where the next prompt is written; for a session that takes none, why and what to do. */

import type { RefObject } from "preact";
import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { type ModelChoice, ModelPicker, offeredChoice } from "../../composer/model-picker";
import { PromptBox } from "../../composer/prompt-box";
import { useUploads } from "../../composer/uploads";
import type { SessionView } from "../../protocol";
import { models as offered } from "../../shell/workspace";
import type { SessionActions } from "../actions";
import { isOpen, willWait } from "../standing";
import { Closed } from "./closed";
import { useDraft } from "./draft";
import "./composer.css";

interface ComposerProps {
  readonly session: SessionView;
  readonly actions: SessionActions;
  readonly field: RefObject<HTMLTextAreaElement>;
  /** Escape gives the keys back to the timeline. */
  onLeave(): void;
}

export const Composer = memo((props: ComposerProps) =>
  isOpen(props.session) ? (
    <Open {...props} />
  ) : (
    <Closed session={props.session} onRestore={props.actions.restore} />
  ),
);

function Open({ session, actions, field, onLeave }: ComposerProps) {
  const [text, setText] = useDraft(session.id);
  const [wanted, setWanted] = useState<ModelChoice | null>(null);
  const uploads = useUploads();
  const models = offered.value;
  const own = { model: session.model, effort: session.effort };
  const choice = models === null ? own : offeredChoice(models, wanted ?? own);
  const wait = willWait(session);
  const submit = () => {
    const attachments = uploads.take();
    actions.send({ text: text.trim(), attachments, model: choice.model, effort: choice.effort });
    setText("");
  };
  const change = (value: string) => {
    setText(value);
    if (value !== "") {
      actions.typing();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard wherever one is in the composer.
    <div class="composer" onKeyDown={(event) => event.key === "Escape" && onLeave()}>
      <PromptBox
        label="Prompt"
        placeholder={wait ?? "Ask for what comes next"}
        text={text}
        onText={change}
        uploads={uploads}
        submitLabel={wait === null ? "Send" : "Queue"}
        onSubmit={submit}
        field={field}
        choices={
          models !== null && (
            <ModelPicker models={models} choice={choice} onChange={setWanted} side="above-start" />
          )
        }
        // The field says it as long as it is empty.
        actions={wait !== null && text !== "" && <span class="composer-wait">Will be queued</span>}
      />
    </div>
  );
}
