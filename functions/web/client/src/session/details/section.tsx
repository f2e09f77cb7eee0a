/** One subject of the details panel. */

import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section class="section" aria-label={title}>
      <h3 class="section-title">{title}</h3>
      {children}
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** Inside of a `dl`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div class="section-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
