/** The fields of one level of sandbox settings. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { RelativeTime } from "../design/relative-time";
import { toast } from "../design/toast";
import type { SandboxSettingsView, SettingsLevel } from "../protocol";
import { FIELDS, problemsOf, settingsOf, type Texts, textsOf } from "./sandbox-fields";
import "./sandbox.css";

interface Props {
  level: SettingsLevel;
  inherited: SandboxSettingsView | null;
  /** Blank: everything. */
  repository: string;
  locked: boolean;
  onSaved: (level: SettingsLevel) => void;
  onConflict: () => Promise<void>;
}

export function SandboxForm({ level, inherited, repository, locked, ...on }: Props) {
  const before = textsOf(level.settings);
  const above = inherited && textsOf(inherited);
  const [texts, setTexts] = useState<Texts>(before);
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(texts);
  const same = FIELDS.every(({ name }) => texts[name].trim() === before[name]);
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      on.onSaved(await choose(repository, settingsOf(texts), level.version));
      toast("Sandbox settings saved");
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      await refused(error, on.onConflict);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="sandbox-form" onSubmit={save}>
      <div class="sandbox-fields">
        {FIELDS.map(({ name, label, hint, unit, otherwise }) => (
          <Field
            key={name}
            {...{ label, hint, disabled: locked }}
            {...(unit ? { unit, inputMode: "numeric" as const } : {})}
            value={texts[name]}
            onInput={(text) => setTexts({ ...texts, [name]: text })}
            placeholder={above?.[name] || otherwise}
            error={problems[name]}
          />
        ))}
      </div>
      <div class="settings-actions">
        {!locked && (
          <Button
            kind="primary"
            type="submit"
            busy={busy}
            disabled={same || Object.keys(problems).length > 0}
          >
            Save
          </Button>
        )}
        {level.changedAt && (
          <span class="settings-row-text">
            Changed by {level.changedBy}, <RelativeTime at={level.changedAt} />
          </span>
        )}
      </div>
    </form>
  );
}

function choose(
  repository: string,
  settings: SandboxSettingsView,
  version: string | null,
): Promise<SettingsLevel> {
  const asked = { settings, version };
  return repository
    ? api.chooseRepositorySettings(repository, asked)
    : api.chooseSandboxSettings(asked);
}

async function refused(error: api.ApiError, onConflict: () => Promise<void>): Promise<void> {
  if (error.code !== "conflict") {
    toast(`Not saved: ${error.message}`, { tone: "bad" });
    return;
  }
  toast("Somebody else has changed these settings meanwhile. Here they are.", { tone: "bad" });
  await onConflict();
}
