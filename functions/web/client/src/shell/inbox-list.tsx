/** The inbox in its three groups, or what a search in it found. */
import { CloudOff, Inbox as InboxIcon } from "lucide-preact";
import { Link } from "wouter-preact";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { Skeleton } from "../design/skeleton";
import type { InboxRow as Row } from "../protocol";
import { inbox, inboxError, mineOnly, refreshInbox, showMineOnly } from "./inbox";
import { rows } from "./inbox-changes";
import { focusedSession, moveRow, onArrow } from "./inbox-keys";
import { InboxRow } from "./inbox-row";
import { askArchive, askRename, markRead } from "./session-actions";
import { useSearch } from "./session-matches";
import { useShortcuts } from "./shortcuts";
import "./inbox-list.css";

export function InboxList({ query }: { query: string }) {
  useRowShortcuts();
  return (
    <nav class="inbox" aria-label="Inbox" onKeyDown={onArrow}>
      {query ? <Found query={query} /> : <Groups />}
    </nav>
  );
}

function Groups() {
  const shown = inbox.value;
  if (!shown)
    return inboxError.value ? (
      <Unreachable />
    ) : (
      <Skeleton shape="row" lines={7} label="Loading sessions" />
    );
  if (rows(shown).length === 0) return <NoSessions />;
  return (
    <>
      <Group title="Needs attention" rows={shown.needsAttention} />
      {shown.more && (
        <Link href="/sessions" class="inbox-none">
          More need attention: all sessions
        </Link>
      )}
      <Group title="In progress" rows={shown.inProgress} />
      <Group title="Recent" rows={shown.recent} />
    </>
  );
}

function Found({ query }: { query: string }) {
  const { rows: found, searching } = useSearch(query);
  if (found.length > 0) return <Group title="Found" rows={found} />;
  if (searching) return <Skeleton shape="row" lines={3} label="Searching" />;
  return <p class="inbox-none">No session matches “{query}”.</p>;
}

function Group({ title, rows: list }: { title: string; rows: Row[] }) {
  if (list.length === 0) return null;
  return (
    <section class="inbox-group" aria-label={title}>
      <div class="inbox-head">
        <h2 class="inbox-title">{title}</h2>
        <span class="inbox-count">{list.length}</span>
      </div>
      <ul class="inbox-rows">
        {list.map((row) => (
          <InboxRow key={row.session.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

function NoSessions() {
  if (mineOnly.value) {
    return (
      <Empty
        title="No sessions of yours"
        icon={InboxIcon}
        action={<Button onClick={() => showMineOnly(false)}>Show everybody's</Button>}
      />
    );
  }
  return (
    <Empty title="No open sessions" icon={InboxIcon}>
      What you ask for shows up here, and comes to the top when it needs you.
    </Empty>
  );
}

function Unreachable() {
  return (
    <Empty
      title="Sessions could not be loaded"
      icon={CloudOff}
      action={<Button onClick={refreshInbox}>Try again</Button>}
    >
      {inboxError.value?.message}
    </Empty>
  );
}

function useRowShortcuts(): void {
  const group = "Sessions";
  const withRow = (act: (row: Row) => void) => () => {
    const id = focusedSession();
    const row = id && inbox.value ? rows(inbox.value).find((each) => each.session.id === id) : null;
    if (row) act(row);
  };
  useShortcuts([
    { keys: "j", label: "Next session", group, run: () => moveRow(1) },
    { keys: "k", label: "Previous session", group, run: () => moveRow(-1) },
    {
      keys: "r",
      label: "Rename the focused session",
      group,
      run: withRow((row) => askRename(row.session)),
    },
    {
      keys: "e",
      label: "Archive the focused session",
      group,
      run: withRow((row) => askArchive(row.session)),
    },
    {
      keys: "u",
      label: "Mark the focused session as read",
      group,
      run: withRow((row) => void markRead(row.session)),
    },
  ]);
}
