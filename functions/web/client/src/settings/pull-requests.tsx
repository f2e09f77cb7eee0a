/** How pull requests are wanted: for everything, or for one repository. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Badge } from "../design/badge";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { Segmented } from "../design/segmented";
import type { PullRequestPolicyInEffect } from "../protocol";
import { me } from "../shell/workspace";
import { useLoaded } from "./loaded";
import "./repository-settings.css";
import { RepositoryPicker } from "./repository-picker";
import { useSaving } from "./saving";
import { Unloaded } from "./unloaded";

export function PullRequestsSection() {
  const [url, setUrl] = useState("");
  const { value, error, again, show } = useLoaded(api.pullRequestPolicy, url);
  const owner = me.value?.role === "owner";
  return (
    <>
      <p class="settings-text">
        For each that Outboard opens, whoever asks for it. A repository that chooses nothing has
        what everything has. {!owner && <Badge>Only the owner may change it</Badge>}
      </p>
      <RepositoryPicker label="Applies to" value={url} onChange={setUrl} everything />
      {value ? (
        <PolicyForm
          key={`${url} ${value.own} ${value.draft} ${value.label}`}
          {...{ url, policy: value, locked: !owner, onSaved: show }}
        />
      ) : (
        <Unloaded error={error} onAgain={again} />
      )}
    </>
  );
}

interface FormProps {
  url: string;
  policy: PullRequestPolicyInEffect;
  locked: boolean;
  onSaved: (policy: PullRequestPolicyInEffect) => void;
}

function PolicyForm({ url, policy, locked, onSaved }: FormProps) {
  const [draft, setDraft] = useState(policy.draft);
  const [label, setLabel] = useState(policy.label);
  const { busy, save } = useSaving();
  const inherits = url !== "" && !policy.own;
  const same = !inherits && draft === policy.draft && label.trim() === policy.label;
  const submit = (event: Event) => {
    event.preventDefault();
    void save("Pull request settings saved", async () => {
      onSaved(await api.choosePullRequestPolicy(url, { draft, label: label.trim() }));
    });
  };
  const inherit = () =>
    save("It has what everything has", async () => {
      onSaved(await api.inheritPullRequestPolicy(url));
    });
  return (
    <form class="settings-form" onSubmit={submit}>
      {url && (
        <p class="settings-row-text">{inherits ? "It has what everything has." : "Its own."}</p>
      )}
      {locked ? (
        <p class="policy-draft">
          {draft ? "Always opened as drafts" : "Opened as drafts when asked"}
        </p>
      ) : (
        <Segmented
          label="Drafts"
          value={draft ? "always" : "asked"}
          onChange={(chosen) => setDraft(chosen === "always")}
          options={[
            { value: "asked", label: "Drafts when asked" },
            { value: "always", label: "Always drafts" },
          ]}
        />
      )}
      <Field
        label="Label"
        value={label}
        onInput={setLabel}
        maxLength={50}
        disabled={locked}
        placeholder="None"
        hint="Set when one is opened. It has to exist at the code host, or be made there."
      />
      {!locked && (
        <div class="settings-actions">
          <Button kind="primary" type="submit" busy={busy} disabled={same}>
            Save
          </Button>
          {url && policy.own && (
            <Button disabled={busy} onClick={() => void inherit()}>
              Have what everything has
            </Button>
          )}
        </div>
      )}
    </form>
  );
}
