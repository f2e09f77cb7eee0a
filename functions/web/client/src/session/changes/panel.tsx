/** What a session has changed: how much, as of when, and each file's lines. */

import { FileDiff, RefreshCw, TriangleAlert } from "lucide-preact";
import { useEffect, useMemo } from "preact/hooks";
import { Button } from "../../design/button";
import { Empty } from "../../design/empty";
import { Icon } from "../../design/icon";
import { Spinner } from "../../design/spinner";
import type { ChangesView, SessionView } from "../../protocol";
import { plural } from "../format";
import { Changes as Counts } from "../timeline/diff/diff";
import { Loading } from "./changes";
import { Files, type FilesHandle } from "./list";
import { ChangesStore } from "./store";
import { asOf, canAsk, emptiness, isBehind, type Note, notes } from "./words";

export interface PanelProps {
  readonly session: SessionView;
  /** Another one with each comparison that was told of. */
  readonly compared: string;
  /** For the keys. */
  readonly handle: { current: FilesHandle | null };
}

export function ChangesPanel({ session, compared, handle }: PanelProps) {
  const store = useStore(session, compared);
  const view = store.view.value;
  const problem = store.problem.value;
  if (view === null) {
    return problem === null ? <Loading /> : <Failed why={problem} store={store} />;
  }
  return (
    <>
      <Bar view={view} session={session} store={store} />
      <Notes of={[...failed(problem), ...notes(view, session, store.waiting.value)]} />
      {view.repositories.some(
        ({ files, leftOut, error }) => files.length + leftOut > 0 || error,
      ) ? (
        <Files view={view} patches={store.patches} handle={handle} />
      ) : (
        <Nothing view={view} session={session} />
      )}
    </>
  );
}

function useStore(session: SessionView, compared: string): ChangesStore {
  const { id, finished } = session;
  const store = useMemo(() => new ChangesStore(id), [id]);
  useEffect(() => () => store.close(), [store]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when there may be another one.
  useEffect(() => void store.load(), [store, compared, finished]);
  const view = store.view.value;
  const isUp = canAsk(session) && session.repositories.length > 0;
  const lacks = view !== null && view.error === null && isBehind(view, session);
  useEffect(() => {
    if (isUp && lacks) {
      void store.waitFor((now) => now.error !== null || (now.prompt ?? 0) >= (finished ?? 0));
    } else if (!isUp) {
      store.rest();
    }
  }, [store, isUp, lacks, finished]);
  return store;
}

interface BarProps {
  readonly view: ChangesView;
  readonly session: SessionView;
  readonly store: ChangesStore;
}

function Bar({ view, session, store }: BarProps) {
  const { files, additions, deletions } = view.totals;
  return (
    <div class="changes-bar">
      <p class="changes-sum">
        {files > 0 && (
          <>
            <span>{plural(files, "file")}</span> <Counts added={additions} removed={deletions} />
          </>
        )}{" "}
        <span class="changes-when">{asOf(view)}</span>
      </p>
      {canAsk(session) && session.repositories.length > 0 && (
        <Button
          kind="quiet"
          icon={RefreshCw}
          busy={store.waiting.value === "yes"}
          onClick={() => void store.ask()}
        >
          Compare again
        </Button>
      )}
    </div>
  );
}

function failed(problem: string | null): readonly Note[] {
  return problem === null ? [] : [{ tone: "bad", text: problem }];
}

function Notes({ of }: { readonly of: readonly Note[] }) {
  return (
    <div class="changes-notes" role="status">
      {of.map((note) => (
        <p key={note.text} class={`changes-note changes-note-${note.tone}`}>
          {note.busy && <Spinner size={12} />}
          {(note.tone === "bad" || note.tone === "warn") && <Icon of={TriangleAlert} size={14} />}
          <span>{note.text}</span>
        </p>
      ))}
    </div>
  );
}

function Nothing({ view, session }: Omit<BarProps, "store">) {
  const { title, text } = emptiness(view, session);
  return (
    <Empty title={title} icon={FileDiff}>
      {text}
    </Empty>
  );
}

function Failed({ why, store }: { readonly why: string; readonly store: ChangesStore }) {
  return (
    <Empty
      title="The changes can't be loaded"
      icon={TriangleAlert}
      tone="bad"
      action={<Button onClick={() => void store.load()}>Try again</Button>}
    >
      {why}
    </Empty>
  );
}
