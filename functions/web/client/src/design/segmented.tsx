/** One of a few that are all in sight: radio buttons in a row. */
import type { LucideIcon } from "lucide-preact";
import { useId } from "preact/hooks";
import { Icon } from "./icon";
import "./segmented.css";

interface Props<Value extends string> {
  label: string;
  options: { value: Value; label: string; icon?: LucideIcon }[];
  value: Value;
  onChange: (value: Value) => void;
}

export function Segmented<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="segment">
          <input
            class="segment-input"
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span class="segment-label">
            {option.icon && <Icon of={option.icon} size={14} />}
            {option.label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
