/** Where the work starts: a branch that the host knows, or one that is typed. */
import { GitBranch } from "lucide-preact";
import { Combobox } from "../design/combobox";
import { Icon } from "../design/icon";
import type { Option } from "../design/options";
import { useBranches } from "./branches";
import { staleness } from "./freshness";
import { ListNote } from "./list-note";
import { branchProblem } from "./repository";

interface Props {
  label: string;
  /** Of the repository. */
  url: string;
  /** Blank: the default one. */
  branch: string;
  onChange: (branch: string) => void;
}

const DEFAULT: Option = { value: "", label: "default", detail: "The repository's own" };

export function BranchPicker({ label, url, branch, onChange }: Props) {
  const { found, asOf, busy, problem, look } = useBranches(url);
  return (
    <Combobox
      label={label}
      icon={<Icon of={GitBranch} size={14} />}
      hint="Search, or type a branch"
      options={[DEFAULT, ...found.map(({ name }) => ({ value: name, label: name }))]}
      value={branch}
      onChange={onChange}
      typed={typedBranch}
      none="A branch begins with a letter or digit and has no spaces."
      note={
        <ListNote
          busy={busy}
          loading="Asking for its branches"
          problem={problem && `Its branches could not be listed: ${problem}. Type one.`}
          said={staleness(asOf, Date.now())}
          onAgain={() => void look()}
        />
      }
      onSearch={(text) => {
        if (text === "") void look();
      }}
    />
  );
}

function typedBranch(text: string): Option | null {
  if (text === "" || branchProblem(text) !== null) return null;
  return { value: text, label: text };
}
