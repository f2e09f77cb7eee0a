/** One session: its timeline, and the composer for what comes next. */

import { SearchX, WifiOff } from "lucide-preact";
import { useEffect, useMemo } from "preact/hooks";
import { takeHandoff } from "../composer/handoff";
import { openSession, type SessionConnection } from "../connection";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { LinkButton } from "../design/link-button";
import { Skeleton } from "../design/skeleton";
import type { SessionView } from "../protocol";
import { PageHeader } from "../shell/page-header";
import { changed } from "../shell/session-actions";
import { me } from "../shell/workspace";
import { actionsOn } from "./acting";
import { useMarkingRead } from "./marking-read";
import { type SessionState, session as shown } from "./state";
import { Pending } from "./timeline/rows/pending";
import { firstLine } from "./timeline/tools/input";
import { View } from "./view";
import "./session.css";

export function SessionPage({ id }: { id: string }) {
  const connection = useConnection(id);
  return <Connected connection={connection} />;
}

function useConnection(id: string): SessionConnection {
  const connection = useMemo(() => openSession(id), [id]);
  useEffect(() => {
    const first = takeHandoff(id);
    if (first !== null) {
      connection.adopt(first);
    }
    const stop = changed.subscribe((view) => {
      if (view?.id === id) {
        connection.show(view);
      }
    });
    return () => {
      stop();
      connection.close();
    };
  }, [id, connection]);
  return connection;
}

function Connected({ connection }: { readonly connection: SessionConnection }) {
  const state = connection.state.value;
  const view = shown(state);
  const actions = useMemo(() => actionsOn(connection), [connection]);
  if (state.connection.status === "refused") {
    return <Refused error={state.connection.error} />;
  }
  if (view === null) {
    return <Waiting connection={connection} state={state} />;
  }
  return (
    <>
      <MarkedRead view={view} isHeard={state.connection.status === "open"} />
      <View state={state} session={view} actions={actions} />
    </>
  );
}

function MarkedRead({ view, isHeard }: { view: SessionView; isHeard: boolean }) {
  useMarkingRead(view, isHeard);
  return null;
}

interface WaitingProps {
  readonly connection: SessionConnection;
  readonly state: SessionState;
}

/** What was just sent is there at once, before anything is known of the session. */
function Waiting({ connection, state }: WaitingProps) {
  if (state.connection.status === "offline") {
    return (
      <Missing>
        <Empty
          title="You are offline"
          icon={WifiOff}
          action={<Button onClick={() => location.reload()}>Try again</Button>}
        >
          The session opens as soon as there is a connection.
        </Empty>
      </Missing>
    );
  }
  return (
    <>
      <PageHeader title={firstLine(state.pending[0]?.text ?? "") || "Loading"} />
      <div class="session-loading">
        {state.pending.map((prompt) => (
          <Pending
            key={prompt.requestId}
            prompt={prompt}
            name={me.value?.displayName ?? "You"}
            onAgain={() => connection.sendAgain(prompt.requestId)}
            onDismiss={() => connection.dismiss(prompt.requestId)}
          />
        ))}
        <Skeleton lines={7} label="Loading the session" />
      </div>
    </>
  );
}

function Refused({ error }: { readonly error: string | null }) {
  return (
    <Missing>
      <Empty
        title="This session can't be shown"
        icon={SearchX}
        action={<LinkButton href="/">Home</LinkButton>}
      >
        {error ?? "There is no such session, or the link was cut short."}
      </Empty>
    </Missing>
  );
}

function Missing({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <>
      <PageHeader title="Session" />
      <div class="session-missing">{children}</div>
    </>
  );
}
