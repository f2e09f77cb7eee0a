/** Sets one secret, or replaces it. Its value is in the field alone, and there until it is saved. */
import type { RefObject } from "preact";
import { useId, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { toast } from "../design/toast";
import type { SecretView } from "../protocol";
import { isNamed } from "./secret-names";

interface Props {
  place: api.SecretPlace;
  name: string;
  setName: (name: string) => void;
  names: ReadonlySet<string>;
  value: RefObject<HTMLInputElement>;
  show: (secrets: readonly SecretView[]) => void;
}

export function SecretForm({ place, name, setName, names, value, show }: Props) {
  const [filled, setFilled] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const known = isNamed(name, names);
  const save = async (form: HTMLFormElement, given: string) => {
    setBusy(true);
    const problem = await set(place, name.trim(), given, show);
    setBusy(false);
    setRefused(problem);
    if (problem !== null) return;
    toast(`${name.trim().toUpperCase()} is ${known ? "replaced" : "set"}`);
    form.reset();
    setFilled(false);
    setName("");
    form.querySelector("input")?.focus();
  };
  return (
    <form
      class="settings-form"
      autoComplete="off"
      aria-label="Set a secret"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget, value.current?.value ?? "");
      }}
    >
      <h3 class="settings-subtitle">Set a secret</h3>
      <Field
        label="Name"
        value={name}
        onInput={setName}
        maxLength={256}
        mono
        placeholder="NPM_TOKEN"
        hint="Letters, digits and _; it is kept in capitals."
      />
      <Value field={value} onFilled={setFilled} />
      {refused !== null && (
        <p class="vault-problem" role="alert">
          {refused}
        </p>
      )}
      <Button kind="primary" type="submit" busy={busy} disabled={!name.trim() || !filled}>
        {known ? "Replace the secret" : "Set the secret"}
      </Button>
    </form>
  );
}

interface ValueProps {
  field: RefObject<HTMLInputElement>;
  onFilled: (filled: boolean) => void;
}

/** What is typed stays in the element: only whether there is anything is anybody's business. */
function Value({ field, onFilled }: ValueProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        Value
      </label>
      <input
        ref={field}
        id={id}
        class="input input-mono"
        type="password"
        autoComplete="off"
        spellcheck={false}
        aria-describedby={`${id}-said`}
        onInput={(event) => onFilled(event.currentTarget.value !== "")}
      />
      <p id={`${id}-said`} class="field-said">
        Up to 16 KB. A value of several lines goes into a .env file below, in quotes.
      </p>
    </div>
  );
}

/** Why not; null: it is set. */
async function set(
  place: api.SecretPlace,
  name: string,
  value: string,
  show: Props["show"],
): Promise<string | null> {
  try {
    show((await api.setSecrets({ ...place, values: { [name]: value } })).secrets);
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    return error.message;
  }
}
