/** One session in a list with room: status, title, repository, owner, age. */
import { Archive, ArchiveRestore, Ellipsis, Pencil } from "lucide-preact";
import { Link } from "wouter-preact";
import { Avatar } from "../design/avatar";
import { StatusDot } from "../design/badge";
import { Button, IconButton } from "../design/button";
import { Menu, type MenuItem } from "../design/menu";
import { RelativeTime } from "../design/relative-time";
import type { SessionView } from "../protocol";
import { onArrow } from "../shell/inbox-keys";
import { askArchive, askRename, restore } from "../shell/session-actions";
import { targetOf, titleOf, workOf } from "../shell/session-names";
import "./session-row.css";

export function SessionRow({ session }: { session: SessionView }) {
  const work = workOf(session);
  const archived = session.status === "archived";
  return (
    <li class="session-row" data-session={session.id} onKeyDown={(event) => onKey(event, session)}>
      <Link href={`/session/${session.id}`} class="session-link">
        <StatusDot tone={work.tone} live={work.live} hollow={work.hollow} />
        <span class="session-title">{titleOf(session)}</span>
        <span class="session-status">{work.label}</span>
        <span class="session-where">{targetOf(session)}</span>
        <Avatar name={session.owner} label={session.owner} />
        <RelativeTime at={session.updatedAt} />
      </Link>
      <span class="session-row-action">
        {archived ? <Unarchive session={session} /> : <Actions session={session} />}
      </span>
    </li>
  );
}

/** The same keys as in the sidebar. */
function onKey(event: KeyboardEvent, session: SessionView): void {
  // Not those of the row's menu, nor the browser's own.
  const onLink = event.target instanceof Element && event.target.matches("a");
  if (!onLink || event.ctrlKey || event.metaKey || event.altKey) return;
  onArrow(event);
  if (event.key === "r") askRename(session);
  else if (event.key === "e" && session.status !== "archived") askArchive(session);
  else return;
  event.preventDefault();
}

function Unarchive({ session }: { session: SessionView }) {
  return (
    <Button
      kind="quiet"
      icon={ArchiveRestore}
      aria-label={`Unarchive ${titleOf(session)}`}
      onClick={() => void restore(session)}
    >
      Unarchive
    </Button>
  );
}

function Actions({ session }: { session: SessionView }) {
  const label = `Actions for ${titleOf(session)}`;
  const items: MenuItem[] = [
    { label: "Rename", icon: Pencil, run: () => askRename(session) },
    { label: "Archive", icon: Archive, run: () => askArchive(session) },
  ];
  return (
    <Menu label={label} items={items} side="below-end">
      {(trigger) => <IconButton {...trigger} icon={Ellipsis} label={label} />}
    </Menu>
  );
}
