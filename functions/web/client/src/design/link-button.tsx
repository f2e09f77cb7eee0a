/** Links inside the client; what looks like a button and leads somewhere is a link. */
import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Icon } from "./icon";

interface Props {
  href: string;
  children: ComponentChildren;
  icon?: LucideIcon;
}

export function LinkButton({ href, children, icon }: Props) {
  return (
    <Link href={href} class="button button-secondary">
      {icon && <Icon of={icon} />}
      <span class="button-label">{children}</span>
    </Link>
  );
}
