/** What the session works on: a repository and its branch, several, an environment, or none. */
import { Boxes, CircleSlash, FolderGit2, FolderPlus, ListOrdered } from "lucide-preact";
import { useState } from "preact/hooks";
import { IconButton } from "../design/button";
import { Combobox } from "../design/combobox";
import { Icon } from "../design/icon";
import type { Option } from "../design/options";
import type { EnvironmentView, RememberedRepository } from "../protocol";
import { BranchPicker } from "../targets/branch-picker";
import { environments, loadEnvironments } from "../targets/environments";
import { EnvironmentsNote } from "../targets/environments-note";
import { offered } from "../targets/offered";
import { OfferedNote } from "../targets/offered-note";
import {
  environmentOption,
  environmentValue,
  repositoryOptions,
  typedRepository,
} from "../targets/options";
import { chosenOf, chosenOfView } from "../targets/repository";
import type { RepositorySet } from "../targets/repository-set";
import { SetDialog } from "./set-dialog";
import { inWords, NOTHING, onEnvironment, onRepositories, type Target } from "./target";

interface Props {
  known: readonly RememberedRepository[];
  target: Target | null;
  onChange: (target: Target) => void;
}

const NONE = "none";
const SEVERAL = "several";
const OTHERS: readonly Option[] = [
  { value: SEVERAL, label: "Several repositories" },
  { value: NONE, label: "No repository" },
];

export function TargetPicker({ known, target, onChange }: Props) {
  const [editing, setEditing] = useState(false);
  const there = environments.value ?? [];
  const choose = (value: string) => {
    const environment = there.find((each) => environmentValue(each.id) === value);
    if (value === SEVERAL) setEditing(true);
    else if (value === NONE) onChange(NOTHING);
    else if (environment) onChange(onEnvironment(environment));
    else onChange(onRepositories([chosenOf(value, known)]));
  };
  return (
    <>
      <Combobox
        label={labelOf(target)}
        icon={<Icon of={iconOf(target)} size={14} />}
        hint="Search, or paste an https address"
        options={optionsFor(known, there)}
        value={target && chosenValue(target)}
        shown={target && inWords(target)}
        onChange={choose}
        placeholder="Choose a repository"
        typed={typedRepository}
        none="Nothing matches. Paste the https address of a repository."
        note={
          <>
            <OfferedNote />
            <EnvironmentsNote />
          </>
        }
        onSearch={(text) => {
          offered.search(text);
          if (text === "") void loadEnvironments();
        }}
      />
      <Details target={target} onChange={onChange} onEdit={() => setEditing(true)} />
      {editing && (
        <SetDialog
          initial={setOf(target, there)}
          onChange={onChange}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}

interface DetailsProps {
  target: Target | null;
  onChange: (target: Target) => void;
  onEdit: () => void;
}

/** The branch of an only repository; and the way to more of them. */
function Details({ target, onChange, onEdit }: DetailsProps) {
  if (target?.kind !== "repositories") return null;
  const [first, ...others] = target.set;
  if (first && others.length === 0) {
    return (
      <>
        <BranchPicker
          label="Branch"
          url={first.url}
          branch={first.branch}
          onChange={(branch) => onChange(onRepositories([{ ...first, branch }]))}
        />
        <IconButton icon={FolderPlus} label="Add repositories" onClick={onEdit} />
      </>
    );
  }
  return <IconButton icon={ListOrdered} label="Edit the repositories" onClick={onEdit} />;
}

function optionsFor(
  known: readonly RememberedRepository[],
  there: readonly EnvironmentView[],
): Option[] {
  const all = repositoryOptions(known, offered.state.value.found);
  const [remembered, others] = [all.slice(0, known.length), all.slice(known.length)];
  return [...OTHERS, ...remembered, ...there.map(environmentOption), ...others];
}

/** What an editor begins with: an environment's own repositories are a good start for others. */
function setOf(target: Target | null, there: readonly EnvironmentView[]): RepositorySet {
  if (target?.kind === "repositories") return target.set;
  if (target?.kind !== "environment") return [];
  const found = there.find((each) => each.id === target.id);
  return found?.repositories.map(chosenOfView) ?? [];
}

function chosenValue(target: Target): string {
  if (target.kind === "none") return NONE;
  if (target.kind === "environment") return environmentValue(target.id);
  const [first, ...others] = target.set;
  return first && others.length === 0 ? first.url : SEVERAL;
}

function labelOf(target: Target | null): string {
  if (target?.kind === "environment") return "Environment";
  return target?.kind === "repositories" && target.set.length > 1 ? "Repositories" : "Repository";
}

function iconOf(target: Target | null) {
  if (target?.kind === "environment") return Boxes;
  return target?.kind === "none" ? CircleSlash : FolderGit2;
}
