/** A box that scrolls by itself, by the keys as well, and says what is in it. */

import type { ComponentChildren, Ref } from "preact";
import { forwardRef } from "preact/compat";

interface ScrollingProps {
  readonly label: string;
  readonly class: string;
  readonly folded?: boolean;
  readonly children: ComponentChildren;
}

export const Scrolling = forwardRef(
  ({ label, folded = false, children, ...rest }: ScrollingProps, ref: Ref<HTMLDivElement>) => (
    // biome-ignore lint/a11y/useSemanticElements: a region each would fill the list of landmarks.
    <div
      ref={ref}
      role="group"
      class={rest.class}
      data-folded={folded || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys.
      tabIndex={0}
    >
      {children}
    </div>
  ),
);
