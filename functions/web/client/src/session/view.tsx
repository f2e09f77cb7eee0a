/** A session's page, drawn from its state: header, timeline, what waits, composer, details. */

import { useCallback, useRef, useState } from "preact/hooks";
import { Confirm } from "../design/confirm";
import type { SessionView } from "../protocol";
import { cramped } from "../shell/drawer";
import { rowOf } from "../shell/inbox";
import { focusedSession, moveRow } from "../shell/inbox-keys";
import { usePageTitle } from "../shell/page-title";
import { askArchive, askRename } from "../shell/session-actions";
import { titleOf } from "../shell/session-names";
import { storedFlag } from "../shell/stored";
import type { SessionActions } from "./actions";
import { useAnnouncements } from "./announcements";
import { Composer } from "./composer/composer";
import { Details } from "./details/details";
import { Header } from "./header/header";
import { useSessionKeys } from "./keys";
import { Queue } from "./queue/queue";
import { canStop, isOpen, splitQueue } from "./standing";
import { hasOlder, queue, type Rows, rows, type SessionState, turn } from "./state";
import { doing } from "./timeline/doing";
import { Live } from "./timeline/live";
import { Pending } from "./timeline/rows/pending";
import { SessionId } from "./timeline/session-id";
import { Timeline } from "./timeline/timeline";
import type { TimelineHandle } from "./timeline/use-reading";
import "./session.css";

const detailsShown = storedFlag("details-shown", true);

interface ViewProps {
  readonly state: SessionState;
  readonly session: SessionView;
  readonly actions: SessionActions;
}

export function View({ state, session, actions }: ViewProps) {
  const page = usePage(session, actions);
  const all = rows(state);
  const turnOf = useCallback((number: number) => turn(state, number), [state]);
  const { sending, waiting } = splitQueue(session, queue(state));
  const running = session.running === null ? null : turn(state, session.running);
  usePageTitle(titleOf(session));
  useAnnouncements(session);
  return (
    <div class="session">
      <div class="session-main">
        <Header
          {...{ session, actions }}
          connection={state.connection.status}
          participants={state.participants}
          me={state.me}
          editing={page.editing}
          onEdit={page.edit}
          stopping={running?.stopping ?? false}
          details={page.details}
          onDetails={page.toggleDetails}
        />

        <SessionId.Provider value={session.id}>
          <Timeline
            key={session.id}
            rows={all}
            turnOf={turnOf}
            hasOlder={hasOlder(state)}
            beganAt={session.createdAt}
            loadOlder={actions.loadOlder}
            handle={page.timeline}
          >
            {sending?.pending && (
              <Pending
                prompt={sending.pending}
                name={nameOf(state)}
                onAgain={() => sending.pending && actions.sendAgain(sending.pending.requestId)}
                onDismiss={() => sending.pending && actions.dismiss(sending.pending.requestId)}
              />
            )}
            {running !== null && <Live turn={running} doing={doing(newest(all))} />}
          </Timeline>
        </SessionId.Provider>

        <div class="dock">
          <Queue session={session} waiting={waiting} actions={actions} />
          <Composer
            key={session.id}
            {...{ session, actions }}
            field={page.field}
            onLeave={page.leave}
          />
        </div>
      </div>
      {page.details && (
        <Details
          session={session}
          participants={state.participants}
          handedIn={`${session.finished}/${session.running}`}
          over={cramped.value}
          onClose={page.toggleDetails}
        />
      )}
      {page.asksToStop && canStop(session) && (
        <Confirm
          title="Stop what runs?"
          text="The turn ends where it is. What it changed so far is kept."
          action="Stop"
          onConfirm={page.stop}
          onClose={page.dontStop}
        />
      )}
    </div>
  );
}

/** What of the page is not the session's but the reader's, and the keys that change it. */
function usePage(session: SessionView, actions: SessionActions) {
  const timeline = useRef<TimelineHandle | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [editing, edit] = useState(false);
  const [asksToStop, setAsksToStop] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const details = cramped.value ? drawer : detailsShown.value;
  // The same functions each time: a frame that is words of a row draws no header or composer anew.
  const toggleDetails = useCallback(() => {
    if (cramped.value) {
      setDrawer((shown) => !shown);
    } else {
      detailsShown.value = !detailsShown.value;
    }
  }, []);
  const leave = useCallback(() => timeline.current?.focus(), []);
  useSessionKeys({
    next: () => (inSidebar() ? moveRow(1) : timeline.current?.step(1)),
    previous: () => (inSidebar() ? moveRow(-1) : timeline.current?.step(-1)),
    open: () => timeline.current?.open(),
    newest: () => timeline.current?.jump(),
    reply: () => field.current?.focus(),
    stop: () => canStop(session) && setAsksToStop(true),
    rename: () => (pointedAt(session) === session ? edit(true) : askRename(pointedAt(session))),
    archive: () => isOpen(pointedAt(session)) && askArchive(pointedAt(session)),
    details: toggleDetails,
  });
  const stop = () => {
    setAsksToStop(false);
    actions.stop();
  };
  const dontStop = () => setAsksToStop(false);
  return {
    ...{ timeline, field, leave, editing, edit, asksToStop, stop, dontStop },
    ...{ details, toggleDetails },
  };
}

function inSidebar(): boolean {
  return document.activeElement?.closest(".sidebar") != null;
}

/** With the focus on a row of the inbox, the keys are about that session. */
function pointedAt(session: SessionView): SessionView {
  const id = focusedSession();
  return (id === null ? null : rowOf(id)?.session) ?? session;
}

function newest(all: Rows) {
  return all.at(all.length - 1);
}

function nameOf(state: SessionState): string {
  const me = state.participants.find((each) => each.user === state.me);
  return me?.name ?? state.me ?? "You";
}
