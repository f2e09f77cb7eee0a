/** A new token: what it is for, what it may, and how long. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { Segmented } from "../design/segmented";
import type { AccessTokenCreated } from "../protocol";
import { daysOf, LONGEST_DAYS, meaning, SCOPES, type Scope } from "./token-words";

export function TokenForm({ onMade }: { onMade: (made: AccessTokenCreated) => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("write");
  const [life, setLife] = useState("90");
  const { busy, refused, make } = useMaking(onMade);
  const days = daysOf(life);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (days !== null && (await make({ name: name.trim(), scope, days }))) setName("");
  };
  return (
    <form class="settings-form" aria-label="Make a token" onSubmit={submit}>
      <h3 class="settings-subtitle">Make a token</h3>
      <Field
        label="Name"
        value={name}
        onInput={setName}
        maxLength={60}
        placeholder="nightly"
        hint="What it is for, so that you know later which one to revoke."
      />
      <div class="field">
        <span class="field-label">Scope</span>
        <Segmented label="Scope" options={SCOPES} value={scope} onChange={setScope} />
        <p class="field-said">{meaning(scope)}</p>
      </div>
      <Field
        label="Ends in"
        value={life}
        onInput={setLife}
        unit="days"
        inputMode="numeric"
        error={days === null ? `From 1 to ${LONGEST_DAYS} days.` : null}
      />
      {refused !== null && (
        <p class="vault-problem" role="alert">
          {refused}
        </p>
      )}
      <Button
        kind="primary"
        type="submit"
        busy={busy}
        disabled={name.trim() === "" || days === null}
      >
        Make the token
      </Button>
    </form>
  );
}

function useMaking(onMade: (made: AccessTokenCreated) => void) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  /** Whether there is one now. */
  const make = async (asked: Parameters<typeof api.newAccessToken>[0]): Promise<boolean> => {
    setBusy(true);
    setRefused(null);
    try {
      onMade(await api.newAccessToken(asked));
      return true;
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      setRefused(error.message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, refused, make };
}
