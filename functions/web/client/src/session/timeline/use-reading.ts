/** Keeps the timeline where its reader is, and tells the keys how to move in it. */

import type { RefObject } from "preact";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import type { VirtualizerHandle } from "virtua";
import type { Rows } from "../state";
import {
  AT_THE_END,
  endsOf,
  grew,
  growth,
  isAtEnd,
  left,
  type Reading,
  scrolled,
  settled,
} from "./reading";

/** So near the top, older rows are asked for. */
const EARLY = 1_200;

/** What moves the page came from the reader when one of these was so recent. */
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
const RECENT_MS = 400;

/** Frames, at most, until a row that is scrolled to is there. */
const DRAWN_IN = 20;

/** A row that ends so little below the top is not what is read. */
const PAST = 16;

export interface TimelineHandle {
  /** To the next turn, or back to the one before. */
  step(by: 1 | -1): void;
  /** Opens or folds the row that has the focus, else the newest one in view that opens. */
  open(): void;
  jump(): void;
  focus(): void;
}

interface Options {
  readonly rows: Rows;
  readonly hasOlder: boolean;
  loadOlder(): void;
  readonly handle: RefObject<TimelineHandle>;
}

export function useReading({ rows, hasOlder, loadOlder, handle }: Options) {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const reading = useRef<Reading>(AT_THE_END);
  const [shown, setShown] = useState({ follows: true, missed: 0 });

  const set = useCallback((next: Reading) => {
    reading.current = next;
    const { follows, missed } = next;
    setShown((before) =>
      before.follows === follows && before.missed === missed ? before : { follows, missed },
    );
  }, []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null) {
      element.scrollTop = element.scrollHeight;
    }
  }, []);

  const jump = useCallback(() => {
    set({ ...reading.current, follows: true, missed: 0 });
    toEnd();
  }, [set, toEnd]);

  const ends = useRef(endsOf(rows));
  const added = growth(ends.current, rows);
  useLayoutEffect(() => {
    ends.current = endsOf(rows);
    set(grew(reading.current, added.below));
    if (reading.current.follows) {
      toEnd();
    }
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    let touched = Number.NEGATIVE_INFINITY;
    const touch = (event: Event) => {
      touched = event.timeStamp;
    };
    const onScroll = (event: Event) => {
      const place = placeOf(element);
      set(scrolled(reading.current, place, event.timeStamp - touched < RECENT_MS));
      if (reading.current.follows && !isAtEnd(place)) {
        toEnd();
      }
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    for (const name of HANDS) {
      element.addEventListener(name, touch, { passive: true });
    }
    // Rows get their real height after they are drawn, and pictures later still.
    const sizes = new ResizeObserver(() => {
      if (reading.current.follows) {
        toEnd();
        reading.current = settled(reading.current, placeOf(element));
      }
    });
    sizes.observe(element);
    if (content.current !== null) {
      sizes.observe(content.current);
    }
    return () => {
      element.removeEventListener("scroll", onScroll);
      for (const name of HANDS) {
        element.removeEventListener(name, touch);
      }
      sizes.disconnect();
    };
  }, [set, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null || !hasOlder) {
      return;
    }
    const ask = () => element.scrollTop < EARLY && loadOlder();
    ask();
    element.addEventListener("scroll", ask, { passive: true });
    return () => element.removeEventListener("scroll", ask);
  });

  const goTo = (index: number) => {
    set(left(reading.current));
    list.current?.scrollToIndex(index, { align: "start", offset: -8 });
    focusRow(scroller.current, rows.at(index)?.key ?? "", DRAWN_IN);
  };

  useImperativeHandle(handle, () => ({
    step: (by) => {
      const from = list.current?.findItemIndex(list.current.scrollOffset + PAST) ?? 0;
      const next = turnFrom(rows, from, by);
      if (next === null) {
        if (by === 1) {
          jump();
        }
        return;
      }
      goTo(next);
    },
    open: () => opener(scroller.current)?.click(),
    jump,
    focus: () => scroller.current?.focus(),
  }));

  const stay = useCallback(() => set(left(reading.current)), [set]);
  return { scroller, content, list, jump, stay, shift: added.above > 0, ...shown };
}

function placeOf(element: HTMLElement) {
  const { scrollTop: offset, clientHeight: viewport, scrollHeight: size } = element;
  return { offset, viewport, size };
}

/** The row where the turn before or after that row begins. */
function turnFrom(rows: Rows, from: number, by: 1 | -1): number | null {
  for (let at = from + by; at >= 0 && at < rows.length; at += by) {
    if (rows.at(at)?.kind === "prompt") {
      return at;
    }
  }
  return null;
}

/** As soon as it can be: what was out of sight is drawn first, and hidden until it is measured. */
function focusRow(scroller: HTMLElement | null, key: string, frames: number): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  const card = row?.querySelector<HTMLElement>("article") ?? row;
  card?.setAttribute("tabindex", "-1");
  card?.focus({ preventScroll: true });
  if (frames > 0 && (!card || document.activeElement !== card)) {
    requestAnimationFrame(() => focusRow(scroller, key, frames - 1));
  }
}

function opener(scroller: HTMLElement | null): HTMLElement | null {
  const focused = document.activeElement
    ?.closest(".row")
    ?.querySelector<HTMLElement>("[data-opens]");
  if (focused) {
    return focused;
  }
  const bottom = scroller?.getBoundingClientRect().bottom ?? 0;
  const all = [...(scroller?.querySelectorAll<HTMLElement>("[data-opens]") ?? [])];
  return all.findLast((each) => each.getBoundingClientRect().bottom <= bottom) ?? null;
}
