/** Repositories in an order that people give them: add, remove, reorder, a branch for each. */
import { FolderPlus } from "lucide-preact";
import { useState } from "preact/hooks";
import { announce } from "../design/announce";
import { Combobox } from "../design/combobox";
import { Icon } from "../design/icon";
import { repositories } from "../shell/workspace";
import { offered } from "./offered";
import { OfferedNote } from "./offered-note";
import { repositoryOptions, typedRepository } from "./options";
import { chosenOf, nameOf } from "./repository";
import { MOST_REPOSITORIES, problemWith, type RepositorySet, withAnother } from "./repository-set";
import { SetRows } from "./set-rows";
import "./set-editor.css";

interface Props {
  set: RepositorySet;
  onChange: (set: RepositorySet) => void;
}

export function SetEditor({ set, onChange }: Props) {
  const [refused, setRefused] = useState<string | null>(null);
  const known = repositories.value ?? [];
  const add = (url: string) => {
    const added = chosenOf(url, known);
    const problem = problemWith(set, url);
    setRefused(problem && `${nameOf(added)}: ${problem}`);
    if (problem !== null) return;
    onChange(withAnother(set, added));
    announce(`${nameOf(added)} is number ${set.length + 1}`);
  };
  const change = (changed: RepositorySet) => {
    setRefused(null);
    onChange(changed);
  };
  return (
    <div class="set-editor">
      {set.length > 0 && <SetRows set={set} onChange={change} />}
      {set.length < MOST_REPOSITORIES ? (
        <AddRepository set={set} onAdd={add} />
      ) : (
        <p class="set-said">These are {MOST_REPOSITORIES}, which is the most.</p>
      )}
      {refused && (
        <p class="set-said set-refused" role="alert">
          {refused}
        </p>
      )}
      {set.length > 1 && (
        <p class="set-said">
          The first is the primary one, whose sandbox settings count. Alt with an arrow key moves
          one.
        </p>
      )}
    </div>
  );
}

function AddRepository({ set, onAdd }: { set: RepositorySet; onAdd: (url: string) => void }) {
  const there = new Set(set.map((each) => each.url));
  const options = repositoryOptions(repositories.value ?? [], offered.state.value.found);
  return (
    <Combobox
      kind="boxed"
      label={set.length === 0 ? "Choose a repository" : "Add a repository"}
      icon={<Icon of={FolderPlus} size={14} />}
      hint="Search, or paste an https address"
      options={options.filter((each) => !there.has(each.value))}
      value={null}
      onChange={onAdd}
      typed={typedRepository}
      none="Nothing matches. Paste the https address of a repository."
      note={<OfferedNote />}
      onSearch={offered.search}
    />
  );
}
