/** The dialogs of session actions, once in the page. */
import { useState } from "preact/hooks";
import { Button } from "../design/button";
import { Confirm } from "../design/confirm";
import { Dialog } from "../design/dialog";
import { Field } from "../design/field";
import type { SessionView } from "../protocol";
import { archive, asking, rename } from "./session-actions";
import { MAX_TITLE_CHARS } from "./session-names";

export function SessionDialogs() {
  const asked = asking.value;
  const close = () => {
    asking.value = null;
  };
  if (asked?.what === "rename") return <RenameDialog session={asked.session} close={close} />;
  if (asked?.what === "archive") return <ArchiveDialog session={asked.session} close={close} />;
  return null;
}

interface Props {
  session: SessionView;
  close: () => void;
}

function ArchiveDialog({ session, close }: Props) {
  return (
    <Confirm
      title="Archive this session?"
      text="You can restore archived sessions from Settings > Data Controls."
      action="Archive"
      onClose={close}
      onConfirm={() => {
        close();
        void archive(session);
      }}
    />
  );
}

function RenameDialog({ session, close }: Props) {
  const [title, setTitle] = useState(session.title);
  const save = (event: Event) => {
    event.preventDefault();
    const asked = title.trim();
    if (!asked) return;
    close();
    if (asked !== session.title) void rename(session, asked);
  };
  const actions = (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="primary" type="submit" form="rename" disabled={!title.trim()}>
        Rename
      </Button>
    </>
  );
  return (
    <Dialog title="Rename session" onClose={close} actions={actions}>
      <form id="rename" onSubmit={save}>
        <Field
          bare
          label="Title"
          value={title}
          onInput={setTitle}
          maxLength={MAX_TITLE_CHARS}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
        />
      </form>
    </Dialog>
  );
}
