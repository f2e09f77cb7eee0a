/** All changed files: what is in view of them is drawn, and fetched. */

import { ChevronsDownUp, ChevronsUpDown } from "lucide-preact";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "preact/hooks";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Button } from "../../design/button";
import type { ChangesView } from "../../protocol";
import { allFiles, type Listed, opening } from "./files";
import { fileFrom, type Item, itemsOf } from "./items";
import type { PatchStore } from "./patches";
import { ItemView } from "./rows";

export interface FilesHandle {
  /** To the file before or after. */
  step(by: 1 | -1): void;
}

interface FilesProps {
  readonly view: ChangesView;
  readonly patches: PatchStore;
  readonly handle: { current: FilesHandle | null };
}

/** What is far away is drawn, measured and only then to be had. */
const DRAWN_IN = 10;

export function Files({ view, patches, handle }: FilesProps) {
  const { open, toggle, setAll } = useOpening(view);
  const known = patches.known.value;
  const items = useMemo(() => itemsOf(view, open, known), [view, open, known]);
  const walk = useWalk(items, handle);
  const { revision } = view;
  const want = useCallback(
    (listed: Listed, again?: boolean) => {
      if (revision !== null) {
        patches.want(listed, revision, again);
      }
    },
    [patches, revision],
  );
  const draw = useCallback(
    (item: Item) => <ItemView key={item.key} {...{ item, want, toggle }} onFocus={walk.onFocus} />,
    [want, toggle, walk.onFocus],
  );
  return (
    <>
      <FoldAll isAnyFolded={[...open.values()].includes(false)} onAll={setAll} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys. */}
      <section ref={walk.scroller} class="changes-scroll" aria-label="Changed files" tabIndex={0}>
        <Virtualizer
          ref={walk.list}
          scrollRef={walk.scroller}
          bufferSize={200}
          data={items}
          keepMounted={walk.near}
        >
          {draw}
        </Virtualizer>
      </section>
    </>
  );
}

function useOpening(view: ChangesView) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const open = useMemo(() => opening(chosen, view), [chosen, view]);
  // A file that has grown does not fold by itself.
  useEffect(() => setChosen((known) => opening(known, view)), [view]);
  const toggle = useCallback(
    (key: string) => setChosen((known) => new Map(known).set(key, !known.get(key))),
    [],
  );
  const setAll = (all: boolean) =>
    setChosen(new Map(allFiles(view).map(({ key }) => [key, all] as const)));
  return { open, toggle, setAll };
}

/** From file to file by keys, also where the next one is thousands of lines away. */
function useWalk(items: readonly Item[], handle: FilesProps["handle"]) {
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [at, setAt] = useState<string | null>(null);
  const near = useMemo(() => neighbours(items, at), [items, at]);
  const onFocus = useCallback((key: string) => setAt(key), []);
  useImperativeHandle(
    handle,
    () => ({
      step: (by) => {
        const index = fileFrom(items, at, by);
        const item = index === null ? undefined : items[index];
        if (index !== null && item !== undefined) {
          list.current?.scrollToIndex(index, { align: "start" });
          focusFile(scroller.current, item.key, DRAWN_IN);
        }
      },
    }),
    [items, at],
  );
  return { scroller, list, near, onFocus };
}

/** They stay drawn: the tab key finds them. */
function neighbours(items: readonly Item[], at: string | null): readonly number[] {
  if (at === null || !items.some(({ key }) => key === at)) {
    return [];
  }
  const here = items.findIndex(({ key }) => key === at);
  const found = [fileFrom(items, at, -1), here, fileFrom(items, at, 1)];
  return [...new Set(found.filter((index) => index !== null))].sort((one, two) => one - two);
}

function focusFile(scroller: HTMLElement | null, key: string, frames: number): void {
  const line = scroller?.querySelector<HTMLElement>(`[data-file="${CSS.escape(key)}"]`);
  line?.focus({ preventScroll: true });
  if (frames > 0 && (!line || document.activeElement !== line)) {
    requestAnimationFrame(() => focusFile(scroller, key, frames - 1));
  }
}

interface FoldAllProps {
  readonly isAnyFolded: boolean;
  onAll(open: boolean): void;
}

function FoldAll({ isAnyFolded, onAll }: FoldAllProps) {
  return (
    <div class="changes-all">
      <Button
        kind="quiet"
        icon={isAnyFolded ? ChevronsUpDown : ChevronsDownUp}
        onClick={() => onAll(isAnyFolded)}
      >
        {isAnyFolded ? "Open all" : "Fold all"}
      </Button>
    </div>
  );
}
