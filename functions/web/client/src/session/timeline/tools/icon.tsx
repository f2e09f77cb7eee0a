/** What a tool does, as a picture. */

import {
  Bot,
  Camera,
  FilePen,
  FilePlus2,
  FileText,
  Folder,
  Globe,
  ListTodo,
  type LucideIcon,
  Search,
  Sparkles,
  SquareTerminal,
  Wrench,
} from "lucide-preact";
import { Icon } from "../../../design/icon";
import type { ToolKind } from "./wording";

const ICONS: Readonly<Record<ToolKind, LucideIcon>> = {
  command: SquareTerminal,
  read: FileText,
  edit: FilePen,
  write: FilePlus2,
  search: Search,
  files: Folder,
  web: Globe,
  delegate: Bot,
  plan: ListTodo,
  skill: Sparkles,
  screenshot: Camera,
  other: Wrench,
};

export function ToolIcon({ kind, failed }: { readonly kind: ToolKind; readonly failed: boolean }) {
  return <Icon of={ICONS[kind]} size={14} class={failed ? "tool-icon-failed" : "tool-icon"} />;
}
