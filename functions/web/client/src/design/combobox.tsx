/** One of many: as a Select, with a field that narrows the list and may offer what was typed. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { type Option, OptionList, useMoves } from "./options";
import { Popover, useAnchored } from "./popover";
import { SelectButton, type SelectProps } from "./select";

interface Props extends SelectProps {
  /** In the field. */
  hint: string;
  /** What the typed text itself would be as an option. */
  typed?: (text: string) => Option | null;
  /** Instead of the list, while nothing matches. */
  none: ComponentChildren;
}

export function Combobox({ label, options, value, onChange, hint, typed, none, ...look }: Props) {
  const layer = useAnchored();
  const chosen =
    options.find((option) => option.value === value) ?? (value ? typed?.(value) : null);
  return (
    <>
      <SelectButton layer={layer} label={label} shown={chosen?.label ?? null} {...look} />
      <Popover of={layer} side={look.side ?? "below-start"} class="combobox">
        <Search
          {...{ label, options, value, hint, none }}
          typed={typed ?? (() => null)}
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
  typed: (text: string) => Option | null;
  choose: (option: Option) => void;
}

function Search({ label, options, value, hint, none, typed, choose }: SearchProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const shown = offered(options, text, typed);
  const moves = useMoves(shown, text ? null : value, choose, false);
  useEffect(() => field.current?.focus(), []);
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
          }}
          onKeyDown={moves.onKeyDown}
        />
      </div>
      {shown.length === 0 && <div class="options-none">{none}</div>}
      <OptionList {...{ id, label, moves, choose }} options={shown} chosen={value} />
    </>
  );
}

/** Those that have every word of the text, and the text itself if it would be one. */
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
  if (!own || matching.some((option) => option.value === own.value)) return matching;
  return [...matching, own];
}
