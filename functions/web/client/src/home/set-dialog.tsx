/** Several repositories for one session, chosen and put in order before they are taken. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Dialog } from "../design/dialog";
import { toast } from "../design/toast";
import { repositories } from "../shell/workspace";
import { nameOf, newRepository } from "../targets/repository";
import type { RepositorySet } from "../targets/repository-set";
import { SaveDialog } from "../targets/save-dialog";
import { SetEditor } from "../targets/set-editor";
import { onEnvironment, onRepositories, type Target } from "./target";
import "./target.css";

interface Props {
  initial: RepositorySet;
  onChange: (target: Target) => void;
  onClose: () => void;
}

export function SetDialog({ initial, onChange, onClose }: Props) {
  const [set, setSet] = useState(initial);
  const [naming, setNaming] = useState(false);
  const take = (target: Target) => {
    onChange(target);
    onClose();
  };
  if (naming) {
    const asked = set.map((each) => newRepository(each, repositories.value ?? []));
    return (
      <SaveDialog
        of={set.map(nameOf).join(", ")}
        make={(words) => api.createEnvironment({ ...words, repositories: asked })}
        onSaved={(made) => {
          toast(`Saved “${made.name}”. The session is opened from it`);
          take(onEnvironment(made));
        }}
        onClose={() => setNaming(false)}
      />
    );
  }
  const actions = (
    <>
      {set.length > 1 && (
        <Button class="set-dialog-save" kind="quiet" onClick={() => setNaming(true)}>
          Save as an environment
        </Button>
      )}
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" disabled={set.length === 0} onClick={() => take(onRepositories(set))}>
        {set.length === 1 ? "Use this one" : "Use these"}
      </Button>
    </>
  );
  return (
    <Dialog title="Repositories of the session" size="medium" onClose={onClose} actions={actions}>
      <SetEditor set={set} onChange={setSet} />
    </Dialog>
  );
}
