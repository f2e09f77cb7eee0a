/** A row that opens: one line as a button, and below it what it tells of. */

import { ChevronRight } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { classes } from "../../design/class-names";
import { Icon } from "../../design/icon";
import "./disclosure.css";

interface DisclosureProps {
  readonly open: boolean;
  onToggle(): void;
  readonly line: ComponentChildren;
  readonly icon: ComponentChildren;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

export function Disclosure({ open, onToggle, line, icon, ...rest }: DisclosureProps) {
  const id = useId();
  return (
    <div class={classes("disclosure", rest.class)} data-open={open || undefined}>
      <button
        type="button"
        class="disclosure-line"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={onToggle}
        data-opens
      >
        <span class="disclosure-icon">
          {icon}
          <Icon of={ChevronRight} size={14} class="disclosure-chevron" />
        </span>
        {line}
      </button>
      {open && (
        <div class="disclosure-content" id={id}>
          {rest.children}
        </div>
      )}
    </div>
  );
}
