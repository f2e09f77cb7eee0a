/** The rows of a set. Who moves one by keyboard goes with it. */
import { ArrowDown, ArrowUp, X } from "lucide-preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { announce } from "../design/announce";
import { Badge } from "../design/badge";
import { IconButton } from "../design/button";
import { BranchPicker } from "./branch-picker";
import { type Chosen, hostOf, nameOf } from "./repository";
import { moved, onBranch, type RepositorySet, without } from "./repository-set";

interface Props {
  set: RepositorySet;
  onChange: (set: RepositorySet) => void;
}

type By = -1 | 1;

/** What is to have the focus once the rows are as they were asked to be. */
interface Focus {
  url: string | undefined;
  what: "up" | "down" | "remove";
}

export function SetRows({ set, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<Focus | null>(null);
  useLayoutEffect(() => {
    const to = wanted.current;
    wanted.current = null;
    if (to) focusOn(list.current, set, to);
  }, [set]);
  const move = (at: number, by: By) => {
    const row = set[at];
    if (!row || !set[at + by]) return;
    wanted.current = { url: row.url, what: by < 0 ? "up" : "down" };
    announce(`${nameOf(row)} is number ${at + by + 1} of ${set.length}`);
    onChange(moved(set, at, by));
  };
  const remove = (at: number) => {
    const next = set[at + 1] ?? set[at - 1];
    wanted.current = { url: next?.url, what: "remove" };
    const row = set[at];
    if (row) announce(`${nameOf(row)} is removed`);
    onChange(without(set, at));
  };
  return (
    <ol ref={list} class="set-rows" aria-label="Repositories, in order">
      {set.map((chosen, at) => (
        <Row
          key={chosen.url}
          {...{ chosen, at }}
          last={at === set.length - 1}
          onMove={(by) => move(at, by)}
          onRemove={() => remove(at)}
          onBranch={(branch) => onChange(onBranch(set, at, branch))}
        />
      ))}
    </ol>
  );
}

interface RowProps {
  chosen: Chosen;
  at: number;
  last: boolean;
  onMove: (by: By) => void;
  onRemove: () => void;
  onBranch: (branch: string) => void;
}

function Row({ chosen, at, last, onMove, onRemove, ...on }: RowProps) {
  const name = nameOf(chosen);
  return (
    <li class="set-row" onKeyDownCapture={(event) => onKey(event, onMove)}>
      <span class="set-place">{at + 1}</span>
      <span class="set-name" data-tip={chosen.label || hostOf(chosen.url)}>
        {name}
      </span>
      {at === 0 && <Badge tone="accent">Primary</Badge>}
      <span class="set-branch">
        <BranchPicker
          label={`Branch of ${name}`}
          url={chosen.url}
          branch={chosen.branch}
          onChange={on.onBranch}
        />
      </span>
      <span class="set-actions">
        <IconButton
          icon={ArrowUp}
          label={`Move ${name} up`}
          data-does="up"
          disabled={at === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Move ${name} down`}
          data-does="down"
          disabled={last}
          onClick={() => onMove(1)}
        />
        <IconButton icon={X} label={`Remove ${name}`} data-does="remove" onClick={onRemove} />
      </span>
    </li>
  );
}

/** Before the row's own controls, to which an arrow means something else; not in their lists. */
function onKey(event: KeyboardEvent, onMove: (by: By) => void): void {
  const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
  const inside = event.target instanceof Element && event.target.closest("[popover]") !== null;
  if (by === null || !event.altKey || inside) return;
  event.preventDefault();
  event.stopPropagation();
  onMove(by);
}

/** At the end of the list a row can't be moved on: then it is the other way. */
function focusOn(list: HTMLElement | null, set: RepositorySet, { url, what }: Focus): void {
  const row = list?.children[set.findIndex((each) => each.url === url)];
  const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("[data-does]") ?? [])];
  const enabled = buttons.filter((each) => !each.disabled);
  (enabled.find((each) => each.dataset.does === what) ?? enabled[0])?.focus();
}
