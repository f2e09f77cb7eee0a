/** What the session works on: a known repository or an address, and its branch. */
import { FolderGit2, GitBranch } from "lucide-preact";
import { useState } from "preact/hooks";
import { Button } from "../design/button";
import { Combobox } from "../design/combobox";
import { Field } from "../design/field";
import { Icon } from "../design/icon";
import type { Option } from "../design/options";
import { Popover, useAnchored } from "../design/popover";
import { SelectButton } from "../design/select";
import type { RememberedRepository } from "../protocol";
import { repositoryName } from "../shell/session-names";
import { branchProblem, isRepositoryUrl, type Target } from "./target";

interface Props {
  known: readonly RememberedRepository[];
  target: Target | null;
  onChange: (target: Target) => void;
}

export function TargetPicker({ known, target, onChange }: Props) {
  const choose = (url: string) => {
    const found = known.find((each) => each.url === url);
    onChange({ url, branch: found?.branch ?? "" });
  };
  return (
    <>
      <Combobox
        label="Repository"
        icon={<Icon of={FolderGit2} size={14} />}
        hint="Search, or paste an https address"
        options={known.map(knownOption)}
        value={target?.url ?? null}
        onChange={choose}
        placeholder="Choose a repository"
        typed={typedOption}
        none="Nothing matches. Paste the https address of a repository."
      />
      {target && (
        <BranchPicker
          branch={target.branch}
          onChange={(branch) => onChange({ ...target, branch })}
        />
      )}
    </>
  );
}

function knownOption(repository: RememberedRepository): Option {
  const { url, label } = repository;
  return { value: url, label: repositoryName(repository), detail: label || hostOf(url) };
}

function typedOption(text: string): Option | null {
  if (!isRepositoryUrl(text)) return null;
  const name = repositoryName({ url: text, name: text, label: "" });
  return { value: text, label: name, detail: hostOf(text) };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

interface BranchProps {
  branch: string;
  onChange: (branch: string) => void;
}

function BranchPicker({ branch, onChange }: BranchProps) {
  const layer = useAnchored();
  return (
    <>
      <SelectButton
        layer={layer}
        label="Branch"
        icon={<Icon of={GitBranch} size={14} />}
        shown={branch || "default"}
      />
      <Popover of={layer} label="Branch" class="branch-picker">
        <BranchForm
          branch={branch}
          onDone={(chosen) => {
            layer.close();
            onChange(chosen);
          }}
        />
      </Popover>
    </>
  );
}

function BranchForm({ branch, onDone }: { branch: string; onDone: (branch: string) => void }) {
  const [text, setText] = useState(branch);
  const problem = branchProblem(text.trim());
  const submit = (event: Event) => {
    event.preventDefault();
    if (problem === null) onDone(text.trim());
  };
  return (
    <form class="branch-form" onSubmit={submit}>
      <Field
        label="Branch"
        value={text}
        onInput={setText}
        placeholder="The repository's default"
        error={problem}
        hint="The work starts from its newest commit."
        mono
        autoFocus
      />
      <div class="branch-actions">
        {branch && (
          <Button kind="quiet" onClick={() => onDone("")}>
            Use the default
          </Button>
        )}
        <Button kind="primary" type="submit" disabled={problem !== null}>
          Use this branch
        </Button>
      </div>
    </form>
  );
}
