/** The keys of a session's page. */

import { type Shortcut, useShortcuts } from "../shell/shortcuts";

const GROUP = "Session";

const KEYS = {
  next: { keys: "j", label: "Next turn", group: GROUP },
  previous: { keys: "k", label: "Previous turn", group: GROUP },
  open: { keys: "o", label: "Open or fold a row", group: GROUP },
  newest: { keys: "end", label: "Jump to newest", group: GROUP },
  reply: { keys: "i", label: "Write a prompt", group: GROUP },
  stop: { keys: "s", label: "Stop what runs", group: GROUP },
  rename: { keys: "r", label: "Rename the session", group: GROUP },
  archive: { keys: "e", label: "Archive the session", group: GROUP },
  changes: { keys: "d", label: "Show or hide changes", group: GROUP },
  details: { keys: "]", label: "Show or hide details", group: GROUP },
} as const satisfies Record<string, Omit<Shortcut, "run">>;

type KeyName = keyof typeof KEYS;

export function useSessionKeys(run: Readonly<Record<KeyName, () => void>>): void {
  const names = Object.keys(KEYS) as KeyName[];
  useShortcuts(names.map((name) => ({ ...KEYS[name], run: run[name] })));
}
