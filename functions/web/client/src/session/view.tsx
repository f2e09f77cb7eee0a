/** A session's page, drawn from its state: header, timeline, what waits, composer, details. */

import type { ComponentChildren } from "preact";
import { useCallback, useRef, useState } from "preact/hooks";
import { Confirm } from "../design/confirm";
import type { SessionView } from "../protocol";
import { cramped } from "../shell/drawer";
import { rowOf } from "../shell/inbox";
import { focusedSession, moveRow } from "../shell/inbox-keys";
import { usePageTitle } from "../shell/page-title";
import { askArchive, askRename } from "../shell/session-actions";
import { titleOf } from "../shell/session-names";
import type { SessionActions } from "./actions";
import { useAnnouncements } from "./announcements";
import { Changes } from "./changes/changes";
import { Composer } from "./composer/composer";
import { Details } from "./details/details";
import { Header } from "./header/header";
import { useSessionKeys } from "./keys";
import { Queue } from "./queue/queue";
import { ShowChanges } from "./show-changes";
import { type Side, useSide } from "./side";
import { canStop, isOpen, splitQueue } from "./standing";
import {
  compared,
  handedIn,
  hasOlder,
  queue,
  type Rows,
  rows,
  type SessionState,
  turn,
} from "./state";
import { doing } from "./timeline/doing";
import { Live } from "./timeline/live";
import { Pending } from "./timeline/rows/pending";
import { SessionId, SeveralRepositories } from "./timeline/session-id";
import { Timeline } from "./timeline/timeline";
import type { TimelineHandle } from "./timeline/use-reading";
import "./session.css";

interface ViewProps {
  readonly state: SessionState;
  readonly session: SessionView;
  readonly actions: SessionActions;
}

export function View({ state, session, actions }: ViewProps) {
  const side = useSide();
  const page = usePage(session, actions, side);
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
          changes={side.shown === "changes"}
          onChanges={side.toggleChanges}
          details={side.shown === "details"}
          onDetails={side.toggleDetails}
        />

        <About session={session} onChanges={side.showChanges}>
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
        </About>

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
      {side.shown === "details" && (
        <Details
          session={session}
          participants={state.participants}
          handedIn={handedIn(state)}
          over={cramped.value}
          onClose={side.toggleDetails}
        />
      )}
      {side.shown === "changes" && (
        <Changes
          session={session}
          compared={compared(state)}
          handle={side.files}
          over={cramped.value}
          onClose={side.toggleChanges}
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

interface AboutProps {
  readonly session: SessionView;
  onChanges(): void;
  readonly children: ComponentChildren;
}

/** What rows need to know of the page that they are on. */
function About({ session, onChanges, children }: AboutProps) {
  return (
    <SessionId.Provider value={session.id}>
      <SeveralRepositories.Provider value={session.repositories.length > 1}>
        <ShowChanges.Provider value={onChanges}>{children}</ShowChanges.Provider>
      </SeveralRepositories.Provider>
    </SessionId.Provider>
  );
}

/** What of the page is not the session's but the reader's, and the keys that change it. */
function usePage(session: SessionView, actions: SessionActions, side: Side) {
  const timeline = useRef<TimelineHandle | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [editing, edit] = useState(false);
  const [asksToStop, setAsksToStop] = useState(false);
  // The same functions each time: a frame that is words of a row draws no composer anew.
  const leave = useCallback(() => timeline.current?.focus(), []);
  const step = (by: 1 | -1) => {
    if (isIn(".sidebar")) {
      moveRow(by);
    } else if (isIn(".changes-panel")) {
      side.files.current?.step(by);
    } else {
      timeline.current?.step(by);
    }
  };
  useSessionKeys({
    next: () => step(1),
    previous: () => step(-1),
    open: () => timeline.current?.open(),
    newest: () => timeline.current?.jump(),
    reply: () => field.current?.focus(),
    stop: () => canStop(session) && setAsksToStop(true),
    rename: () => (pointedAt(session) === session ? edit(true) : askRename(pointedAt(session))),
    archive: () => isOpen(pointedAt(session)) && askArchive(pointedAt(session)),
    changes: side.toggleChanges,
    details: side.toggleDetails,
  });
  const stop = () => {
    setAsksToStop(false);
    actions.stop();
  };
  const dontStop = () => setAsksToStop(false);
  return { timeline, field, leave, editing, edit, asksToStop, stop, dontStop };
}

function isIn(part: string): boolean {
  return document.activeElement?.closest(part) != null;
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
