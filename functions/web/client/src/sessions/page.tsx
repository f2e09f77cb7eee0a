/** All sessions there are: searched, filtered, archived ones restored. */
import { CloudOff, SearchX } from "lucide-preact";
import { useLocation, useSearch } from "wouter-preact";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { LinkButton } from "../design/link-button";
import { Segmented } from "../design/segmented";
import { Skeleton } from "../design/skeleton";
import { PageHeader } from "../shell/page-header";
import { usePageTitle } from "../shell/page-title";
import { type Pages, usePages } from "./pages";
import { type Asked, addressOf, type Lifecycle, readAsked } from "./query";
import { SearchField } from "./search-field";
import { SessionRow } from "./session-row";
import "./page.css";

const LIFECYCLES: { value: Lifecycle; label: string }[] = [
  { value: "open", label: "Open" },
  { value: "archived", label: "Archived" },
  { value: "all", label: "All" },
];

export function SessionsPage() {
  const [, go] = useLocation();
  const asked = readAsked(useSearch());
  const pages = usePages(asked);
  const change = (part: Partial<Asked>) => go(addressOf({ ...asked, ...part }), { replace: true });
  usePageTitle("Sessions");
  return (
    <>
      <PageHeader title="Sessions" />
      <div class="page-body">
        <div class="sessions-tools">
          <SearchField query={asked.query} onQuery={(query) => change({ query })} />
          <Segmented
            label="Lifecycle"
            options={LIFECYCLES}
            value={asked.lifecycle}
            onChange={(lifecycle) => change({ lifecycle })}
          />
        </div>
        <Found asked={asked} pages={pages} />
      </div>
    </>
  );
}

function Found({ asked, pages }: { asked: Asked; pages: Pages }) {
  if (pages.error && pages.sessions.length === 0) return <Failed pages={pages} />;
  if (!pages.loaded) return <Skeleton shape="row" lines={10} label="Loading sessions" />;
  if (pages.sessions.length === 0 && !pages.loading && !pages.more) return <None asked={asked} />;
  return (
    <>
      <ul class="session-rows" aria-label="Sessions" aria-busy={pages.loading}>
        {pages.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {pages.more && (
        <div class="sessions-more">
          <Button busy={pages.loading} onClick={pages.loadMore}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

function Failed({ pages }: { pages: Pages }) {
  return (
    <Empty
      title="Sessions could not be loaded"
      icon={CloudOff}
      tone="bad"
      action={<Button onClick={pages.retry}>Try again</Button>}
    >
      {pages.error?.message}
    </Empty>
  );
}

function None({ asked }: { asked: Asked }) {
  if (asked.query) {
    return (
      <Empty title={`Nothing matches “${asked.query}”`} icon={SearchX}>
        Titles, ids and repositories are searched
        {asked.lifecycle === "open" ? "; archived sessions are under Archived." : "."}
      </Empty>
    );
  }
  if (asked.lifecycle === "archived") {
    return (
      <Empty title="Nothing is archived">
        Archived sessions are kept here, and can be restored.
      </Empty>
    );
  }
  return (
    <Empty title="No sessions yet" action={<LinkButton href="/">New session</LinkButton>}>
      A session is one piece of work, from the first prompt to the branch it leaves.
    </Empty>
  );
}
