/** Asks what a set of repositories is to be called as an environment, and makes it. */
import { useState } from "preact/hooks";
import { Button } from "../design/button";
import { Dialog } from "../design/dialog";
import type { EnvironmentView, NewEnvironmentOfSession } from "../protocol";
import { EnvironmentWords, NO_WORDS, restOf, type Words } from "./environment-words";
import { keepEnvironment } from "./environments";
import { useSaving } from "./saving";
import "./save-dialog.css";

interface Props {
  /** What is going to be in it. */
  of: string;
  make: (asked: NewEnvironmentOfSession) => Promise<EnvironmentView>;
  onSaved: (environment: EnvironmentView) => void;
  onClose: () => void;
}

export function SaveDialog({ of, make, onSaved, onClose }: Props) {
  const [words, setWords] = useState<Words>(NO_WORDS);
  const { busy, refused, save } = useSaving();
  const submit = async (event: Event) => {
    event.preventDefault();
    const asked = { name: words.name.trim(), description: words.description.trim() };
    const made = await save(asked, (requestId) => make({ requestId, ...asked }));
    if (made === null) return;
    keepEnvironment(made);
    onSaved(made);
  };
  const rest = restOf(refused);
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        kind="primary"
        type="submit"
        form="save-environment"
        busy={busy}
        disabled={words.name.trim() === ""}
      >
        Save
      </Button>
    </>
  );
  return (
    <Dialog title="Save as an environment" onClose={onClose} actions={actions}>
      <form id="save-environment" class="save-environment" onSubmit={submit}>
        <p>{of}. Everybody can open sessions from it.</p>
        <EnvironmentWords {...{ words, refused }} onChange={setWords} />
        {rest && (
          <p class="field-said field-error" role="alert">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
