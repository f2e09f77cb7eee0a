/** One of a few: a button that shows the choice, and a list to choose from. */
import { ChevronDown } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { classes } from "./class-names";
import { Icon } from "./icon";
import { type Option, OptionList, useMoves } from "./options";
import type { Side } from "./place";
import { type Anchored, Popover, useAnchored } from "./popover";
import "./select.css";

export interface SelectProps {
  /** What is chosen here. */
  label: string;
  options: Option[];
  value: string | null;
  onChange: (value: string) => void;
  /** On the button while nothing is chosen. */
  placeholder?: string;
  icon?: ComponentChildren;
  /** Quiet ones stand in a row of others, boxed ones in a form. */
  kind?: "quiet" | "boxed";
  side?: Side;
}

export function Select({ label, options, value, onChange, ...look }: SelectProps) {
  const layer = useAnchored();
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <SelectButton layer={layer} label={label} shown={chosen?.label ?? null} {...look} />
      <Popover of={layer} side={look.side ?? "below-start"}>
        <Choices
          label={label}
          options={options}
          value={value}
          choose={(option) => {
            layer.close();
            onChange(option.value);
          }}
        />
      </Popover>
    </>
  );
}

type Look = Pick<SelectProps, "placeholder" | "icon" | "kind">;

interface ButtonProps extends Look {
  layer: Anchored;
  label: string;
  shown: string | null;
}

export function SelectButton({ layer, label, shown, ...look }: ButtonProps) {
  const { placeholder = label, icon, kind = "quiet" } = look;
  return (
    <button
      {...layer.trigger}
      ref={layer.anchor}
      type="button"
      class={classes("select", `select-${kind}`, shown === null && "select-unset")}
      aria-haspopup="listbox"
      aria-label={`${label}: ${shown ?? placeholder}`}
      data-tip={kind === "quiet" ? label : undefined}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        layer.show();
      }}
    >
      {icon}
      <span class="select-label">{shown ?? placeholder}</span>
      <Icon of={ChevronDown} size={12} class="select-arrow" />
    </button>
  );
}

interface ChoicesProps {
  label: string;
  options: Option[];
  value: string | null;
  choose: (option: Option) => void;
}

function Choices({ label, options, value, choose }: ChoicesProps) {
  const id = useId();
  const holder = useRef<HTMLDivElement>(null);
  const moves = useMoves(options, value, choose, true);
  useEffect(() => holder.current?.focus(), []);
  return (
    <div
      ref={holder}
      class="select-choices"
      role="combobox"
      tabIndex={0}
      aria-label={label}
      aria-expanded="true"
      aria-controls={id}
      aria-activedescendant={`${id}-${moves.active}`}
      onKeyDown={moves.onKeyDown}
    >
      <OptionList {...{ id, label, options, moves, choose }} chosen={value} />
    </div>
  );
}
