/** Icons: Lucide's, in one size and weight, and never read out: the control has the name. */
import type { LucideIcon } from "lucide-preact";

interface Props {
  of: LucideIcon;
  size?: number;
  class?: string;
}

export function Icon({ of: Shape, size = 16, class: extra }: Props) {
  return (
    <Shape
      class={extra ? `icon ${extra}` : "icon"}
      size={size}
      strokeWidth={1.75}
      aria-hidden="true"
    />
  );
}
