/** Links inside the client; what looks like a button and leads somewhere is a link. */
import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Icon } from "./icon";

interface Props {
  href: string;
  children: ComponentChildren;
  kind?: "primary" | "secondary" | "quiet";
  icon?: LucideIcon;
}

export function LinkButton({ href, children, kind = "secondary", icon }: Props) {
  return (
    <Link href={href} class={`button button-${kind} button-small`}>
      {icon && <Icon of={icon} />}
      <span class="button-label">{children}</span>
    </Link>
  );
}
