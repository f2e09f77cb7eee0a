/** Buttons: with words, or with an icon alone, which then carries its name and a tooltip. */
import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren, JSX, Ref } from "preact";
import { forwardRef } from "preact/compat";
import { classes } from "./class-names";
import { Icon } from "./icon";
import { Spinner } from "./spinner";
import "./button.css";

type Native = Omit<
  JSX.HTMLAttributes<HTMLButtonElement>,
  "class" | "icon" | "size" | "label" | "ref"
>;

interface ButtonProps extends Native {
  children: ComponentChildren;
  kind?: "primary" | "secondary" | "quiet" | "danger";
  icon?: LucideIcon;
  /** Something goes on that was asked for: shows a spinner and takes no second click. */
  busy?: boolean;
  type?: "button" | "submit";
  disabled?: boolean;
  form?: string;
  class?: string;
}

export const Button = forwardRef(function Button(
  { children, kind = "secondary", icon, busy = false, ...rest }: ButtonProps,
  ref: Ref<HTMLButtonElement>,
) {
  const { class: extra, disabled, type = "button", ...native } = rest;
  return (
    <button
      {...native}
      ref={ref}
      type={type}
      class={classes("button", `button-${kind}`, extra)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner /> : icon && <Icon of={icon} />}
      <span class="button-label">{children}</span>
    </button>
  );
});

interface IconButtonProps extends Native {
  /** The name that is read out and shown as the tooltip. */
  label: string;
  icon: LucideIcon;
  /** The shortcut that does the same, shown in the tooltip. */
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
  class?: string;
}

export const IconButton = forwardRef(function IconButton(
  { label, icon, keys, pressed, class: extra, ...native }: IconButtonProps,
  ref: Ref<HTMLButtonElement>,
) {
  return (
    <button
      {...native}
      ref={ref}
      type="button"
      class={classes("icon-button", extra)}
      aria-label={label}
      aria-pressed={pressed}
      data-tip={label}
      data-tip-keys={keys}
    >
      <Icon of={icon} />
    </button>
  );
});
