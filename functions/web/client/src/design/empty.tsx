/** What a place says when nothing is there, or could not be shown. */
import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon";
import "./empty.css";

interface Props {
  title: string;
  icon?: LucideIcon;
  /** What it means, and what to do about it. */
  children?: ComponentChildren;
  action?: ComponentChildren;
  tone?: "neutral" | "bad";
  /** It is all that the page has: its title is the page's. */
  alone?: boolean;
}

export function Empty({ title, icon, children, action, tone = "neutral", alone = false }: Props) {
  const Title = alone ? "h1" : "p";
  return (
    <div class={`empty empty-${tone}`} role={tone === "bad" ? "alert" : undefined}>
      {icon && <Icon of={icon} size={20} class="empty-icon" />}
      <Title class="empty-title">{title}</Title>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  );
}
