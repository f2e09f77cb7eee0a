/** The list of a Select or Combobox: one active option, keys that move it, a pointer that does. */
import { Check } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon";
import { step } from "./steps";
import "./options.css";

export interface Option {
  value: string;
  label: string;
  /** Beside the label, quieter. */
  detail?: string;
  icon?: ComponentChildren;
  /** A heading above this option and those of the same group that follow. */
  group?: string;
}

interface Moves {
  active: number;
  setActive: (at: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** `letters`: the option that begins with a typed letter; not where letters are typed into a field. */
export function useMoves(
  options: Option[],
  chosen: string | null,
  choose: (option: Option) => void,
  letters: boolean,
): Moves {
  const found = options.findIndex((option) => option.value === chosen);
  const [at, setActive] = useState(Math.max(0, found));
  const active = Math.min(at, options.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[active];
    if (event.key === "Enter" && !event.isComposing) {
      // Also where nothing matches: it is not the form's around the list.
      event.preventDefault();
      if (option) choose(option);
      return;
    }
    const next = step(
      event,
      active,
      letters ? options.map((each) => each.label) : lone(options, event),
    );
    if (next === null) return;
    event.preventDefault();
    setActive(next);
  };
  return { active, setActive, onKeyDown };
}

/** In a field, Home, End and letters belong to the text. */
function lone(options: Option[], event: KeyboardEvent): string[] {
  return event.key.startsWith("Arrow") ? options.map((option) => option.label) : [];
}

interface ListProps {
  id: string;
  label: string;
  options: Option[];
  chosen: string | null;
  moves: Moves;
  choose: (option: Option) => void;
}

export function OptionList({ id, label, options, chosen, moves, choose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const option = list.current?.querySelectorAll<HTMLElement>(".option")[moves.active];
    option?.scrollIntoView({ block: "nearest" });
  }, [moves.active]);
  return (
    <div ref={list} class="options" role="listbox" id={id} aria-label={label} tabIndex={-1}>
      {options.map((option, at) => (
        <Row
          key={option.value}
          id={`${id}-${at}`}
          option={option}
          heading={option.group !== options[at - 1]?.group ? option.group : undefined}
          active={at === moves.active}
          selected={option.value === chosen}
          onPoint={() => moves.setActive(at)}
          onChoose={() => choose(option)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  id: string;
  option: Option;
  heading: string | undefined;
  active: boolean;
  selected: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Row({ id, option, heading, active, selected, onPoint, onChoose }: RowProps) {
  return (
    <>
      {heading && (
        <div class="option-group" role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are the list's, by aria-activedescendant. */}
      <div
        id={id}
        class={active ? "option option-active" : "option"}
        role="option"
        tabIndex={-1}
        aria-selected={selected}
        onPointerMove={onPoint}
        onClick={onChoose}
      >
        {option.icon}
        <span class="option-label">{option.label}</span>
        {option.detail && <span class="option-detail">{option.detail}</span>}
        {selected && <Icon of={Check} size={14} class="option-check" />}
      </div>
    </>
  );
}
