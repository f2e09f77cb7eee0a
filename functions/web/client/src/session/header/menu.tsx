/** What can be done with a session beside prompting it. */

import {
  Archive,
  ArchiveRestore,
  Ban,
  CirclePlay,
  Ellipsis,
  Link,
  Pencil,
  Save,
} from "lucide-preact";
import { useState } from "preact/hooks";
import { IconButton } from "../../design/button";
import { Confirm } from "../../design/confirm";
import { Menu, type MenuItem } from "../../design/menu";
import { toast } from "../../design/toast";
import type { SessionView } from "../../protocol";
import type { SessionActions } from "../actions";
import { isOpen } from "../standing";

interface MenuProps {
  readonly session: SessionView;
  readonly actions: SessionActions;
  onRename(): void;
}

type Question = "archive" | "cancel";

export function SessionMenu({ session, actions, onRename }: MenuProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const items = itemsFor(session, actions, onRename, setQuestion);
  return (
    <>
      <Menu label="Session actions" items={items} side="below-end">
        {(trigger) => <IconButton icon={Ellipsis} label="More actions" {...trigger} />}
      </Menu>
      {question !== null && (
        <Confirm
          {...QUESTIONS[question]}
          onConfirm={() => {
            setQuestion(null);
            question === "archive" ? actions.archive() : actions.cancelSession();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
}

const QUESTIONS = {
  archive: {
    title: "Archive this session?",
    text: "You can restore archived sessions from Settings > Data Controls.",
    action: "Archive",
  },
  cancel: {
    title: "Cancel this session for good?",
    text: "Unfinished prompts are closed and no new ones are accepted. This can't be undone.",
    action: "Cancel session",
    danger: true,
  },
} as const;

export function copyLink(): void {
  navigator.clipboard.writeText(location.href).then(
    () => toast("Link copied"),
    () => toast("The browser did not let the link be copied", { tone: "bad" }),
  );
}

function itemsFor(
  session: SessionView,
  actions: SessionActions,
  onRename: () => void,
  ask: (question: Question) => void,
): MenuItem[] {
  const always: MenuItem[] = [
    { label: "Rename", icon: Pencil, keys: "e", run: onRename },
    { label: "Copy link", icon: Link, run: copyLink },
  ];
  if (session.status === "cancelled") {
    return always;
  }
  if (session.status === "archived") {
    const restore = { label: "Restore", icon: ArchiveRestore, divided: true };
    return [...always, { ...restore, run: actions.unarchive }];
  }
  return [
    ...always,
    ...(session.sandbox.status === "ready"
      ? [{ label: "Save files now", icon: Save, run: actions.saveFiles }]
      : []),
    ...(session.held && isOpen(session)
      ? [{ label: "Resume queued work", icon: CirclePlay, run: actions.resumeQueue }]
      : []),
    { label: "Archive", icon: Archive, divided: true, run: () => ask("archive") },
    { label: "Cancel session", icon: Ban, danger: true, run: () => ask("cancel") },
  ];
}
