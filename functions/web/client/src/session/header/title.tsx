/** The session's title, changed in its place. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionView } from "../../protocol";
import { MAX_TITLE_CHARS, titleOf } from "../../shell/session-names";

interface TitleProps {
  readonly session: SessionView;
  readonly editing: boolean;
  onEdit(editing: boolean): void;
  onRename(title: string): void;
}

export function Title({ session, editing, onEdit, onRename }: TitleProps) {
  if (editing) {
    return <Editor session={session} onEdit={onEdit} onRename={onRename} />;
  }
  return (
    <h1 class="title">
      <button
        type="button"
        class="title-button"
        data-tip="Rename"
        data-tip-keys="r"
        aria-label={`${titleOf(session)}, rename`}
        onClick={() => onEdit(true)}
      >
        {titleOf(session)}
      </button>
    </h1>
  );
}

function Editor({ session, onEdit, onRename }: Omit<TitleProps, "editing">) {
  const [text, setText] = useState(session.title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const done = () => {
    const title = text.trim();
    if (title !== "" && title !== session.title) {
      onRename(title);
    }
    onEdit(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) {
      return;
    }
    if (event.key === "Enter") {
      done();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      onEdit(false);
    }
  };
  return (
    <input
      ref={field}
      class="title-field"
      aria-label="Title"
      maxLength={MAX_TITLE_CHARS}
      value={text}
      onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={done}
    />
  );
}
