/** A modal dialog on the browser's own <dialog>: it traps focus, closes on Escape, gives focus back. */
import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button";
import { classes } from "./class-names";
import "./dialog.css";

interface Props {
  title: string;
  children: ComponentChildren;
  /** Buttons at its foot. */
  actions?: ComponentChildren;
  onClose: () => void;
  size?: "small" | "medium" | "large" | "command";
  /** The title is said but not shown, and there is no button to close. */
  bare?: boolean;
  /** Neither Escape nor a click beside it closes it. */
  insistent?: boolean;
}

/** Shown as long as it is rendered. */
export function Dialog({ title, children, actions, onClose, ...options }: Props) {
  const { size = "small", bare = false, insistent = false } = options;
  const dialog = useRef<HTMLDialogElement>(null);
  const titled = useRef<HTMLHeadingElement>(null);
  const heading = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    // Without this the first button has the focus, which is the one that closes.
    if (!element?.querySelector("[autofocus]")) titled.current?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click beside it is what Escape does.
    <dialog
      ref={dialog}
      class={classes("dialog", `dialog-${size}`)}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!insistent) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !insistent) onClose();
      }}
    >
      <div class="dialog-box">
        <header class={bare ? "visually-hidden" : "dialog-head"}>
          <h2 ref={titled} id={heading} class="dialog-title" tabIndex={-1}>
            {title}
          </h2>
          {!bare && !insistent && <IconButton icon={X} label="Close" onClick={onClose} />}
        </header>
        <div class={bare ? "dialog-bare" : "dialog-body"}>{children}</div>
        {actions && <footer class="dialog-foot">{actions}</footer>}
      </div>
    </dialog>
  );
}
