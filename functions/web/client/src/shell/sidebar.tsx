/** The sidebar: where one can go, and the inbox. */
import { List, PanelLeft, Search, SquarePen } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useRoute } from "wouter-preact";
import { IconButton } from "../design/button";
import { classes } from "../design/class-names";
import { Icon } from "../design/icon";
import { Kbd } from "../design/kbd";
import { openCommandMenu } from "./command-menu";
import { toggleSidebar } from "./drawer";
import { InboxList } from "./inbox-list";
import { Logo } from "./logo";
import { ConnectionMark, DemoMark } from "./marks";
import { SessionSearch } from "./session-search";
import { UserMenu } from "./user-menu";
import "./sidebar.css";

export function Sidebar({ hidden }: { hidden: boolean }) {
  const [query, setQuery] = useState("");
  return (
    <aside class={classes("sidebar", hidden && "sidebar-hidden")} aria-label="Sidebar">
      <div class="sidebar-head">
        <Logo />
        <IconButton
          icon={Search}
          label="Search and commands"
          keys="mod+k"
          onClick={openCommandMenu}
        />
        <IconButton icon={PanelLeft} label="Hide sidebar" keys="[" onClick={toggleSidebar} />
      </div>
      <nav class="sidebar-nav" aria-label="Pages">
        <NavLink href="/" label="New session" icon={SquarePen} keys="c" />
        <NavLink href="/sessions" label="Sessions" icon={List} keys="g s" />
      </nav>
      <SessionSearch query={query} onQuery={setQuery} />
      <InboxList query={query.trim()} />
      <div class="sidebar-foot">
        <ConnectionMark />
        <DemoMark />
        <UserMenu />
      </div>
    </aside>
  );
}

interface NavProps {
  href: string;
  label: string;
  icon: typeof List;
  keys: string;
}

function NavLink({ href, label, icon, keys }: NavProps) {
  const [here] = useRoute(href);
  return (
    <Link href={href} class="nav-link" aria-current={here ? "page" : undefined}>
      <Icon of={icon} />
      <span class="nav-label">{label}</span>
      <Kbd keys={keys} />
    </Link>
  );
}
