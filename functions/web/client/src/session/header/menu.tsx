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
import { askArchive } from "../../shell/session-actions";
import type { SessionActions } from "../actions";
import { isOpen } from "../standing";

interface MenuProps {
  readonly session: SessionView;
  readonly actions: SessionActions;
  onRename(): void;
}

export function SessionMenu({ session, actions, onRename }: MenuProps) {
  const [cancelling, setCancelling] = useState(false);
  const items = itemsFor(session, actions, onRename, () => setCancelling(true));
  return (
    <>
      <Menu label="Session actions" items={items} side="below-end">
        {(trigger) => <IconButton icon={Ellipsis} label="More actions" {...trigger} />}
      </Menu>
      {cancelling && (
        <Confirm
          title="Cancel this session for good?"
          text="Unfinished prompts are closed and no new ones are accepted. This can't be undone."
          action="Cancel session"
          danger
          onConfirm={() => {
            setCancelling(false);
            actions.cancelSession();
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}

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
  askCancel: () => void,
): MenuItem[] {
  const always: MenuItem[] = [
    { label: "Rename", icon: Pencil, keys: "r", run: onRename },
    { label: "Copy link", icon: Link, run: copyLink },
  ];
  if (session.status === "cancelled") {
    return always;
  }
  if (session.status === "archived") {
    const restore = { label: "Restore", icon: ArchiveRestore, divided: true };
    return [...always, { ...restore, run: actions.restore }];
  }
  return [
    ...always,
    ...(session.sandbox.status === "ready"
      ? [{ label: "Save files now", icon: Save, run: actions.saveFiles }]
      : []),
    ...(session.held && isOpen(session)
      ? [{ label: "Resume queued work", icon: CirclePlay, run: actions.resumeQueue }]
      : []),
    {
      label: "Archive",
      icon: Archive,
      keys: "e",
      divided: true,
      run: () => askArchive(session),
    },
    { label: "Cancel session", icon: Ban, danger: true, run: askCancel },
  ];
}
