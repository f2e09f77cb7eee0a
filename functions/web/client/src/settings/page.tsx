/** Settings: one section at a time, each with its own address. */
import {
  Box,
  Boxes,
  Database,
  FolderGit2,
  GitPullRequest,
  Keyboard,
  KeyRound,
  type LucideIcon,
  SunMoon,
  Terminal,
  Ticket,
  User,
} from "lucide-preact";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link, Redirect } from "wouter-preact";
import { Icon } from "../design/icon";
import { PageHeader } from "../shell/page-header";
import { usePageTitle } from "../shell/page-title";
import { AccessTokensSection } from "./access-tokens";
import { AppearanceSection } from "./appearance";
import { CommandLineSection } from "./command-line";
import { DataSection } from "./data";
import { EnvironmentsSection } from "./environments";
import { ProfileSection } from "./profile";
import { PullRequestsSection } from "./pull-requests";
import { RepositoriesSection } from "./repositories";
import { SandboxSection } from "./sandbox";
import { SecretsSection } from "./secrets";
import { ShortcutsSection } from "./shortcuts";
import "./page.css";

interface Section {
  name: string;
  title: string;
  icon: LucideIcon;
  Body: ComponentType;
}

const SECTIONS: Section[] = [
  { name: "profile", title: "Profile", icon: User, Body: ProfileSection },
  { name: "appearance", title: "Appearance", icon: SunMoon, Body: AppearanceSection },
  { name: "shortcuts", title: "Keyboard shortcuts", icon: Keyboard, Body: ShortcutsSection },
  { name: "repositories", title: "Repositories", icon: FolderGit2, Body: RepositoriesSection },
  { name: "environments", title: "Environments", icon: Boxes, Body: EnvironmentsSection },
  { name: "secrets", title: "Secrets", icon: KeyRound, Body: SecretsSection },
  {
    name: "pull-requests",
    title: "Pull requests",
    icon: GitPullRequest,
    Body: PullRequestsSection,
  },
  { name: "sandbox", title: "Sandbox", icon: Box, Body: SandboxSection },
  { name: "tokens", title: "Access tokens", icon: Ticket, Body: AccessTokensSection },
  { name: "command-line", title: "Command line", icon: Terminal, Body: CommandLineSection },
  { name: "data", title: "Data Controls", icon: Database, Body: DataSection },
];

export function SettingsPage({ section = "profile" }: { section?: string | undefined }) {
  const shown = SECTIONS.find((each) => each.name === section);
  usePageTitle(shown ? `${shown.title} · Settings` : "Settings");
  if (!shown) return <Redirect to="/settings" replace />;
  return (
    <>
      <PageHeader title="Settings" />
      <div class="settings">
        <Sections current={shown.name} />
        <div class="settings-body" key={shown.name}>
          <section class="settings-section" aria-labelledby="section-title">
            <h2 id="section-title" class="settings-title">
              {shown.title}
            </h2>
            <shown.Body />
          </section>
        </div>
      </div>
    </>
  );
}

function Sections({ current }: { current: string }) {
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section is another link to show.
  useEffect(() => {
    list.current
      ?.querySelector("[aria-current]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav ref={list} class="settings-nav" aria-label="Settings">
      {SECTIONS.map(({ name, title, icon }) => (
        <Link
          key={name}
          href={`/settings/${name}`}
          class="nav-link"
          aria-current={name === current ? "page" : undefined}
        >
          <Icon of={icon} />
          <span class="nav-label">{title}</span>
        </Link>
      ))}
    </nav>
  );
}
