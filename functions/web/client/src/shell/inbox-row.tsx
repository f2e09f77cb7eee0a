/** One session in the sidebar: how it is, what it is called, whether somebody should look. */
import { Archive, CheckCheck, Ellipsis, Pencil } from "lucide-preact";
import { Link, useRoute } from "wouter-preact";
import { StatusDot } from "../design/badge";
import { IconButton } from "../design/button";
import { classes } from "../design/class-names";
import { Menu, type MenuItem } from "../design/menu";
import { RelativeTime } from "../design/relative-time";
import type { InboxRow as Row } from "../protocol";
import { askArchive, askRename, markRead } from "./session-actions";
import { targetOf, titleOf, workOf } from "./session-names";

export function InboxRow({ row }: { row: Row }) {
  const { session, unread } = row;
  const [here] = useRoute(`/session/${session.id}`);
  const work = workOf(session);
  return (
    <li class={classes("inbox-row", unread && "inbox-row-unread")} data-session={session.id}>
      <Link
        href={`/session/${session.id}`}
        class="inbox-link"
        aria-current={here ? "page" : undefined}
      >
        <StatusDot tone={work.tone} live={work.live} hollow={work.hollow} />
        <span class="inbox-name">{titleOf(session)}</span>
        <RelativeTime at={session.updatedAt} />
        <span class="inbox-about">
          <span class="inbox-work">{work.label}</span>
          <span class="inbox-where">{targetOf(session)}</span>
        </span>
        {unread && <span class="visually-hidden">Unread</span>}
      </Link>
      <Menu label={`Actions for ${titleOf(session)}`} items={actions(row)} side="below-end">
        {(trigger) => (
          <IconButton
            {...trigger}
            class="inbox-more"
            icon={Ellipsis}
            label={`Actions for ${titleOf(session)}`}
          />
        )}
      </Menu>
    </li>
  );
}

function actions({ session, unread }: Row): MenuItem[] {
  const read = {
    label: "Mark as read",
    icon: CheckCheck,
    keys: "u",
    run: () => void markRead(session),
  };
  return [
    ...(unread ? [read] : []),
    { label: "Rename", icon: Pencil, keys: "r", run: () => askRename(session) },
    { label: "Archive", icon: Archive, keys: "e", run: () => askArchive(session) },
  ];
}
