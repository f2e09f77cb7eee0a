/** Archived sessions, to restore. Nothing is ever deleted. */
import { Archive, CloudOff } from "lucide-preact";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { Skeleton } from "../design/skeleton";
import { usePages } from "../sessions/pages";
import { SessionRow } from "../sessions/session-row";

export function DataSection() {
  return (
    <>
      <p class="settings-text">
        Archived sessions are out of the inbox and take no prompts. Unarchive one to go on with it.
        Sessions are never deleted.
      </p>
      <Archived />
    </>
  );
}

function Archived() {
  const pages = usePages({ query: "", lifecycle: "archived" });
  if (pages.error && !pages.loaded) {
    return (
      <Empty
        title="Archived sessions could not be loaded"
        icon={CloudOff}
        tone="bad"
        action={<Button onClick={pages.retry}>Try again</Button>}
      />
    );
  }
  if (!pages.loaded) return <Skeleton shape="row" lines={5} label="Loading archived sessions" />;
  if (pages.sessions.length === 0) return <Empty title="Nothing is archived" icon={Archive} />;
  return (
    <>
      <ul class="session-rows archived-rows" aria-label="Archived sessions">
        {pages.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {pages.more && (
        <Button busy={pages.loading} onClick={pages.loadMore}>
          Load more
        </Button>
      )}
    </>
  );
}
