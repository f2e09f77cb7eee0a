/** The actions of the command menu; those of the session that is shown come first. */
import {
  Archive,
  Keyboard,
  List,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  PanelLeft,
  Pencil,
  Settings,
  SquarePen,
  Sun,
} from "lucide-preact";
import { navigate } from "wouter-preact/use-browser-location";
import type { SessionView } from "../protocol";
import { toggleSidebar } from "./drawer";
import { rowOf } from "./inbox";
import { askArchive, askRename } from "./session-actions";
import { showShortcuts } from "./shortcut-sheet";
import { leave } from "./sign-out";
import { chooseTheme } from "./theme";

export interface Action {
  label: string;
  icon: LucideIcon;
  run: () => void;
}

export function actions(): Action[] {
  return [...ofShownSession(), ...EVERYWHERE];
}

function ofShownSession(): Action[] {
  const session = shown();
  if (!session) return [];
  return [
    { label: "Rename this session", icon: Pencil, run: () => askRename(session) },
    { label: "Archive this session", icon: Archive, run: () => askArchive(session) },
  ];
}

function shown(): SessionView | null {
  const id = /^\/session\/([^/]+)/.exec(location.pathname)?.[1];
  return (id && rowOf(id)?.session) || null;
}

const EVERYWHERE: Action[] = [
  { label: "New session", icon: SquarePen, run: () => navigate("/") },
  { label: "Go to sessions", icon: List, run: () => navigate("/sessions") },
  { label: "Go to settings", icon: Settings, run: () => navigate("/settings") },
  { label: "Restore archived sessions", icon: Archive, run: () => navigate("/settings/data") },
  { label: "Show or hide the sidebar", icon: PanelLeft, run: toggleSidebar },
  { label: "Use the light appearance", icon: Sun, run: () => chooseTheme("light") },
  { label: "Use the dark appearance", icon: Moon, run: () => chooseTheme("dark") },
  { label: "Use the system's appearance", icon: Monitor, run: () => chooseTheme("system") },
  { label: "Keyboard shortcuts", icon: Keyboard, run: showShortcuts },
  { label: "Sign out", icon: LogOut, run: () => void leave() },
];
