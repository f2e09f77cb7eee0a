/** The box in which a prompt is written, with its images: on the home page and below a session. */
import { ArrowUp, Paperclip } from "lucide-preact";
import type { ComponentChildren, RefObject } from "preact";
import { useRef } from "preact/hooks";
import { IconButton } from "../design/button";
import { classes } from "../design/class-names";
import { Spinner } from "../design/spinner";
import { toast } from "../design/toast";
import { AttachmentStrip } from "./attachment-strip";
import { filesOf, useDrop } from "./drop";
import { TYPES } from "./images";
import { PromptField } from "./prompt-field";
import type { Uploads } from "./uploads";
import "./prompt-box.css";

interface Props {
  /** Of the text field. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  uploads: Uploads;
  /** Of the button that sends. */
  submitLabel: string;
  onSubmit: () => void;
  /** Why it can't be sent now; null: it can. Blank text alone needs no words. */
  blocked?: string | null;
  busy?: boolean;
  /** What is chosen for the prompt: left, at the foot. */
  choices?: ComponentChildren;
  /** More buttons beside the one that sends. */
  actions?: ComponentChildren;
  field?: RefObject<HTMLTextAreaElement>;
  autoFocus?: boolean;
  size?: "large" | "small";
}

export function PromptBox({
  text,
  uploads,
  onSubmit,
  blocked = null,
  busy = false,
  ...rest
}: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const field = rest.field ?? own;
  const drop = useDrop(uploads.add);
  const empty = text.trim() === "" && uploads.all.value.length === 0;
  const sendable = !empty && !busy && blocked === null && !uploads.unsettled.value;
  const submit = () => {
    if (sendable) onSubmit();
    else if (!empty && !busy) toast(blocked ?? "The images are not uploaded yet");
  };
  return (
    <div
      {...drop.handlers}
      class={classes(
        "prompt-box",
        `prompt-box-${rest.size ?? "small"}`,
        drop.over && "prompt-box-over",
      )}
    >
      <AttachmentStrip uploads={uploads} />
      <PromptField
        {...{ label: rest.label, placeholder: rest.placeholder, text, field }}
        autoFocus={rest.autoFocus ?? false}
        onText={rest.onText}
        onSubmit={submit}
        onFiles={uploads.add}
      />
      <div class="prompt-box-foot">
        <div class="prompt-box-choices">{rest.choices}</div>
        <AttachButton onFiles={uploads.add} />
        {rest.actions}
        <button
          type="button"
          class="send-button"
          aria-label={rest.submitLabel}
          data-tip={blocked ?? rest.submitLabel}
          data-tip-keys="enter"
          aria-disabled={!sendable}
          onClick={submit}
        >
          {busy ? <Spinner /> : <ArrowUp size={16} strokeWidth={2.25} aria-hidden="true" />}
        </button>
      </div>
      {drop.over && <div class="prompt-box-drop">Drop images here</div>}
    </div>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon={Paperclip} label="Attach images" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        tabIndex={-1}
        aria-label="Images to attach"
        accept={TYPES.join(",")}
        onChange={(event) => {
          onFiles(filesOf(event.currentTarget.files));
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
