/** One of many: as a Select, with a field that narrows the list and may offer what was typed. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { type Option, OptionList, useMoves } from "./options";
import { Popover, useAnchored } from "./popover";
import { SelectButton, type SelectProps } from "./select";
import "./combobox.css";

interface Props extends SelectProps {
  /** In the field. */
  hint: string;
  /** What the typed text itself would be as an option. */
  typed?: (text: string) => Option | null;
  /** Instead of the list, while nothing matches. */
  none: ComponentChildren;
  /** Below the field: what is to be known of the list. */
  note?: ComponentChildren;
  /** What is searched for: nothing when the list opens, then what is typed. */
  onSearch?: (text: string) => void;
  /** On the button, when it is not the chosen option's label. */
  shown?: string | null;
}

export function Combobox({ label, options, value, onChange, shown, ...rest }: Props) {
  const { hint, typed, none, note, onSearch, ...look } = rest;
  const layer = useAnchored();
  const chosen =
    options.find((option) => option.value === value) ?? (value ? typed?.(value) : null);
  return (
    <>
      <SelectButton layer={layer} label={label} shown={shown ?? chosen?.label ?? null} {...look} />
      <Popover of={layer} side={look.side ?? "below-start"} class="combobox">
        <Search
          {...{ label, options, value, hint, none, note }}
          typed={typed ?? (() => null)}
          search={onSearch ?? (() => {})}
          choose={(option) => {
            layer.close();
            onChange(option.value);
          }}
        />
      </Popover>
    </>
  );
}

interface SearchProps {
  label: string;
  options: Option[];
  value: string | null;
  hint: string;
  none: ComponentChildren;
  note: ComponentChildren;
  typed: (text: string) => Option | null;
  search: (text: string) => void;
  choose: (option: Option) => void;
}

function Search({ label, options, value, typed, search, choose, ...says }: SearchProps) {
  const { hint, none, note } = says;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const shown = offered(options, text, typed);
  const moves = useMoves(shown, text ? null : value, choose, false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list opens.
  useEffect(() => {
    field.current?.focus();
    search("");
  }, []);
  return (
    <>
      <div class="options-search">
        <input
          ref={field}
          role="combobox"
          aria-label={`${label}: ${hint}`}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shown.length ? `${id}-${moves.active}` : undefined}
          placeholder={hint}
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            moves.setActive(0);
            search(event.currentTarget.value);
          }}
          onKeyDown={moves.onKeyDown}
        />
      </div>
      {note}
      {shown.length === 0 && <div class="options-none">{none}</div>}
      <OptionList {...{ id, label, moves, choose }} options={shown} chosen={value} />
    </>
  );
}

/** Those that have every word of the text, first the one that is the text; else that as another. */
function offered(
  options: Option[],
  text: string,
  typed: (text: string) => Option | null,
): Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = options.filter((option) => {
    const said = `${option.label} ${option.detail ?? ""} ${option.value}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  const own = text.trim() ? typed(text.trim()) : null;
  const same = matching.find((option) => option.value === own?.value);
  if (same) return [same, ...matching.filter((option) => option !== same)];
  return own ? [...matching, own] : matching;
}
