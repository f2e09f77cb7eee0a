/** Secrets by name, who set them and when. A value is never among it. */
import { Trash2 } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { Badge } from "../design/badge";
import { Button, IconButton } from "../design/button";
import { Confirm } from "../design/confirm";
import { RelativeTime } from "../design/relative-time";
import { toast } from "../design/toast";
import type { SecretView } from "../protocol";
import { attempt } from "../shell/attempt";

const OF_MODELS = new Set([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
]);

interface Props {
  place: api.SecretPlace;
  secrets: readonly SecretView[];
  everywhere: ReadonlySet<string>;
  locked: boolean;
  show: (secrets: readonly SecretView[]) => void;
  onReplace: (name: string) => void;
}

export function SecretRows({ place, secrets, everywhere, locked, show, onReplace }: Props) {
  const [asking, setAsking] = useState<string | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // What had the focus is gone with its row.
  useEffect(() => {
    if (gone !== null) list.current?.focus();
  }, [gone]);
  const deleted = (name: string, left: readonly SecretView[]) => {
    setAsking(null);
    setGone(name);
    show(left);
  };
  return (
    <>
      <ul ref={list} class="vault-rows" aria-label="Secrets" tabIndex={-1}>
        {secrets.map((secret) => (
          <li key={secret.name} class="vault-row">
            <Named secret={secret} wins={everywhere.has(secret.name)} />
            {!locked && (
              <span class="vault-row-actions">
                <Button
                  kind="quiet"
                  aria-label={`Replace ${secret.name}`}
                  onClick={() => onReplace(secret.name)}
                >
                  Replace
                </Button>
                <IconButton
                  icon={Trash2}
                  label={`Delete ${secret.name}`}
                  onClick={() => setAsking(secret.name)}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {asking !== null && (
        <Deletion
          place={place}
          name={asking}
          onDeleted={(left) => deleted(asking, left)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

function Named({ secret, wins }: { secret: SecretView; wins: boolean }) {
  return (
    <div class="vault-row-main">
      <span class="vault-row-head">
        <code class="vault-name">{secret.name}</code>
        {OF_MODELS.has(secret.name) && <Badge tone="accent">Wins over the deployment's own</Badge>}
        {wins && <Badge>Wins over the one for everything</Badge>}
      </span>
      <span class="settings-row-text">
        Set by {secret.updatedBy}, <RelativeTime at={secret.updatedAt} />
      </span>
    </div>
  );
}

interface DeletionProps {
  place: api.SecretPlace;
  name: string;
  onDeleted: (left: readonly SecretView[]) => void;
  onClose: () => void;
}

function Deletion({ place, name, onDeleted, onClose }: DeletionProps) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const done = await attempt(`delete ${name}`, async () => {
      onDeleted((await api.removeSecret(place, name)).secrets);
    });
    if (done) toast(`${name} is deleted`);
    else setBusy(false);
  };
  return (
    <Confirm
      title={`Delete ${name}?`}
      text="Sandboxes that start from now on do not get it. One that runs keeps it until it ends. Its value can't be brought back."
      action="Delete"
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
