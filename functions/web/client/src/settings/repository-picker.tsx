/** Which repository a section is about; blank, where it may be, is all of them. */
import { Combobox } from "../design/combobox";
import type { Option } from "../design/options";
import { repositoryName } from "../shell/session-names";
import { repositories } from "../shell/workspace";
import { isRepositoryUrl } from "../targets/repository";

interface Props {
  label: string;
  value: string;
  onChange: (url: string) => void;
  /** Whether everything may be chosen, too. */
  everything?: boolean;
}

export function RepositoryPicker({ label, value, onChange, everything = false }: Props) {
  const known = (repositories.value ?? []).map((each) => ({
    value: each.url,
    label: repositoryName(each),
    detail: each.label,
    group: "Repositories",
  }));
  const all = everything ? [{ value: "", label: "Everything" }] : [];
  return (
    <div class="settings-form repository-picker">
      <Combobox
        kind="boxed"
        label={label}
        placeholder="Choose a repository"
        hint="Search, or paste the address of a repository"
        options={[...all, ...known]}
        value={value}
        onChange={onChange}
        typed={typed}
        none="Nothing matches."
      />
    </div>
  );
}

function typed(url: string): Option | null {
  if (!isRepositoryUrl(url)) return null;
  return { value: url, label: repositoryName({ url, name: url, label: "" }), detail: url };
}
