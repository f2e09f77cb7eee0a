/** The bar above a page: the way to the sidebar where it is hidden, the title, actions. */
import { PanelLeft } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { IconButton } from "../design/button";
import { sidebarShown, toggleSidebar } from "./drawer";
import "./page-header.css";

interface Props {
  title: ComponentChildren;
  actions?: ComponentChildren;
}

export function PageHeader({ title, actions }: Props) {
  return (
    <header class="page-header">
      <SidebarButton />
      <h1 class="page-header-title">{title}</h1>
      {actions && <div class="page-header-actions">{actions}</div>}
    </header>
  );
}

/** Nothing while the sidebar is in sight: its own header hides it again. */
export function SidebarButton() {
  if (sidebarShown()) return null;
  return (
    <IconButton
      class="sidebar-button"
      icon={PanelLeft}
      label="Show sidebar"
      keys="["
      onClick={toggleSidebar}
    />
  );
}
