/** One environment in the list, with what can be done to it. */
import { Pencil, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../api";
import { IconButton } from "../design/button";
import { Confirm } from "../design/confirm";
import { RelativeTime } from "../design/relative-time";
import { toast } from "../design/toast";
import type { EnvironmentView, RepositoryView } from "../protocol";
import { attempt } from "../shell/attempt";
import { dropEnvironment } from "../targets/environments";
import { chosenOfView, nameOf } from "../targets/repository";

interface Props {
  environment: EnvironmentView;
  onEdit: () => void;
}

export function EnvironmentRow({ environment, onEdit }: Props) {
  const [asking, setAsking] = useState(false);
  const { name, description, repositories, updatedAt, updatedBy } = environment;
  return (
    <li class="environment">
      <div class="environment-what">
        <h3 class="environment-name">{name}</h3>
        {description && <p class="environment-text">{description}</p>}
        <ol class="environment-repositories" aria-label={`Repositories of ${name}`}>
          {repositories.map((each) => (
            <li key={each.url}>{inWords(each)}</li>
          ))}
        </ol>
        <p class="settings-row-text">
          Changed by {updatedBy}, <RelativeTime at={updatedAt} />
        </p>
      </div>
      <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
      <IconButton icon={Trash2} label={`Delete ${name}`} onClick={() => setAsking(true)} />
      {asking && <DeleteDialog environment={environment} onClose={() => setAsking(false)} />}
    </li>
  );
}

function inWords(repository: RepositoryView): string {
  const name = nameOf(chosenOfView(repository));
  return repository.branch ? `${name} on ${repository.branch}` : name;
}

interface DialogProps {
  environment: EnvironmentView;
  onClose: () => void;
}

function DeleteDialog({ environment: { id, name }, onClose }: DialogProps) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const done = await attempt("delete the environment", async () => {
      await api.deleteEnvironment(id);
    });
    setBusy(false);
    onClose();
    if (!done) return;
    toast(`Deleted “${name}”`);
    dropEnvironment(id);
  };
  return (
    <Confirm
      title={`Delete “${name}”?`}
      text="No session can be opened from it any more. Sessions that were, running ones too, keep their copy of its repositories. This can't be undone."
      action="Delete"
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
