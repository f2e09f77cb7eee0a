/** A labelled text field with a hint, or what is wrong with what it holds. */
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { classes } from "./class-names";
import "./field.css";

type Native = Omit<
  JSX.InputHTMLAttributes<HTMLInputElement>,
  "class" | "label" | "value" | "onInput"
>;

interface Props extends Native {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | null | undefined;
  /** A unit behind the value. */
  unit?: string;
  /** The label is said, but not shown. */
  bare?: boolean;
  type?: string;
  placeholder?: string;
  disabled?: boolean;
  mono?: boolean;
}

export function Field({ label, value, onInput, hint, error, unit, bare, mono, ...native }: Props) {
  const id = useId();
  const said = error ?? hint;
  return (
    <div class="field">
      <label class={bare ? "visually-hidden" : "field-label"} for={id}>
        {label}
      </label>
      <span class="field-box">
        <input
          autoComplete="off"
          spellcheck={false}
          {...native}
          id={id}
          class={classes("input", mono && "input-mono", unit && "input-with-unit")}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={said ? `${id}-said` : undefined}
        />
        {unit && <span class="field-unit">{unit}</span>}
      </span>
      {said && (
        <p id={`${id}-said`} class={error ? "field-said field-error" : "field-said"}>
          {said}
        </p>
      )}
    </div>
  );
}
