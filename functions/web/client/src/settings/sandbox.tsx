/** What is chosen about sandboxes: for everything, or for one repository. */
import { useState } from "preact/hooks";
import { Badge } from "../design/badge";
import { Combobox } from "../design/combobox";
import type { Option } from "../design/options";
import { Skeleton } from "../design/skeleton";
import { repositoryName } from "../shell/session-names";
import { me, repositories } from "../shell/workspace";
import { isRepositoryUrl } from "../targets/repository";
import { SandboxForm } from "./sandbox-form";
import { useLevel } from "./sandbox-level";

const EVERYTHING = "";

export function SandboxSection() {
  const [repository, setRepository] = useState(EVERYTHING);
  const { level, inherited, error, chosenFor, reload, show } = useLevel(repository || null);
  const owner = me.value?.role === "owner";
  return (
    <>
      <p class="settings-text">
        What a repository does not choose it inherits, each setting by itself. A session keeps what
        was in effect when it was opened. {!owner && <Badge>Only the owner may change it</Badge>}
      </p>
      <div class="settings-form sandbox-level">
        <Combobox
          kind="boxed"
          label="Applies to"
          hint="Search, or paste the address of a repository"
          options={levels(chosenFor)}
          value={repository}
          onChange={setRepository}
          typed={typed}
          none="Nothing matches."
        />
      </div>
      {error && (
        <p class="settings-problem" role="alert">
          {error}
        </p>
      )}
      {level ? (
        <SandboxForm
          key={`${repository} ${level.version}`}
          {...{ level, inherited, repository }}
          locked={!owner}
          onSaved={show}
          onConflict={reload}
        />
      ) : (
        !error && <Skeleton lines={4} shape="block" label="Loading settings" />
      )}
    </>
  );
}

function levels(chosenFor: readonly string[]): Option[] {
  const known = (repositories.value ?? []).map((each) => ({
    value: each.url,
    label: repositoryName(each),
    detail: each.label,
    group: "Repositories",
  }));
  const others = chosenFor.filter((url) => !known.some((each) => each.value === url));
  return [
    { value: EVERYTHING, label: "Everything" },
    ...known,
    ...others.map((url) => ({ ...named(url), group: "Repositories" })),
  ];
}

function named(url: string): Option {
  return { value: url, label: repositoryName({ url, name: url, label: "" }), detail: url };
}

function typed(text: string): Option | null {
  return isRepositoryUrl(text) ? named(text) : null;
}
