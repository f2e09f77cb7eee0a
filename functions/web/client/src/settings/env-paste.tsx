/** Many secrets out of a `.env` file: first what it would set, by line, then all of it or nothing. */
import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { toast } from "../design/toast";
import type { SecretReading, SecretView } from "../protocol";
import { EnvReading, isGood } from "./env-reading";

interface Props {
  place: api.SecretPlace;
  show: (secrets: readonly SecretView[]) => void;
}

export function EnvPaste({ place, show }: Props) {
  const { text, reading, refused, busy, filled, ...pasting } = usePasting(place, show);
  const good = reading !== null && isGood(reading);
  const submit = (event: Event) => {
    event.preventDefault();
    void (good ? pasting.take(reading.lines.length) : pasting.preview());
  };
  return (
    <form class="settings-form" autoComplete="off" aria-label="Paste a .env file" onSubmit={submit}>
      <h3 class="settings-subtitle">Paste a .env file</h3>
      <Text field={text} locked={busy} onInput={pasting.changed} />
      {reading && <EnvReading reading={reading} />}
      {refused !== null && (
        <p class="vault-problem" role="alert">
          {refused}
        </p>
      )}
      <Button type="submit" kind={good ? "primary" : "secondary"} busy={busy} disabled={!filled}>
        {good ? `Set all ${reading.lines.length}` : "Preview"}
      </Button>
    </form>
  );
}

/** What is pasted stays in the element, and only until it is set. */
function usePasting(place: api.SecretPlace, show: Props["show"]) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [filled, setFilled] = useState(false);
  const [reading, setReading] = useState<SecretReading | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const changed = () => {
    setFilled(text.current?.value !== "");
    setReading(null);
    setRefused(null);
  };
  const ask = async (act: (pasted: string) => Promise<void>) => {
    setBusy(true);
    setRefused(await problemOf(() => act(text.current?.value ?? "")));
    setBusy(false);
  };
  const preview = () => ask(async (pasted) => setReading(await api.readSecrets(place, pasted)));
  const take = (count: number) =>
    ask(async (pasted) => {
      show((await api.setSecrets({ ...place, text: pasted })).secrets);
      toast(count === 1 ? "1 secret is set" : `${count} secrets are set`);
      if (text.current) text.current.value = "";
      changed();
      text.current?.focus();
    });
  return { text, filled, reading, refused, busy, changed, preview, take };
}

interface TextProps {
  field: RefObject<HTMLTextAreaElement>;
  locked: boolean;
  onInput: () => void;
}

function Text({ field, locked, onInput }: TextProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        Its text
      </label>
      <textarea
        ref={field}
        id={id}
        class="input vault-text"
        rows={6}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        readOnly={locked}
        placeholder={"NPM_TOKEN=…\nDATABASE_URL=…"}
        aria-describedby={`${id}-said`}
        onInput={onInput}
      />
      <p id={`${id}-said`} class="field-said">
        The preview sends it to the server, which keeps nothing of it and answers with names.
      </p>
    </div>
  );
}

async function problemOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    return error.message;
  }
}
