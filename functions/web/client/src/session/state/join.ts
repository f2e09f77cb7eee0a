/**
 * Two neighbouring parts of a timeline as one: the same as if their frames had been appended one
 * by one. It costs what the older part holds, not what was loaded before.
 */

import { entries, type Keyed, lookUp, NONE, store } from "./keyed";
import { mergedRow } from "./merging";
import type { Row } from "./rows";
import { atPlace, values } from "./strip";
import { add, EMPTY_TRACK, find, type Track, without, write } from "./track";
import { mergedTurn, type TurnFacts, withoutSpent } from "./turns";
import type { Loaded } from "./window";

export function join(older: Loaded, later: Loaded): Loaded {
  const newer = later.oldest <= older.retired ? fenced(later, older.retired) : later;
  return {
    ...joinedRows(older, newer),
    first: older.first,
    last: newer.last,
    turns: joinedTurns(older.turns, newer.turns),
    facts: { ...older.facts, ...newer.facts },
    retired: Math.max(older.retired, newer.retired),
    oldest: Math.min(older.oldest, newer.oldest),
    turned: older.turned || newer.turned,
    headed: older.turned ? older.headed : newer.headed,
  };
}

function joinedTurns(older: Keyed<TurnFacts>, newer: Keyed<TurnFacts>): Keyed<TurnFacts> {
  let joined = newer;
  for (const [key, turn] of entries(older)) {
    const known = lookUp(newer, key);
    joined = store(joined, key, known === undefined ? turn : mergedTurn(turn, known));
  }
  return joined;
}

function joinedRows(older: Loaded, newer: Loaded): Pick<Loaded, "track" | "gap"> {
  const apart = withoutShared([...values(older.track.strip)], newer);
  const beforeGap = apart.rows.length - older.gap;
  const head = headOf(older, newer);
  const rows =
    head === undefined
      ? apart.rows
      : [...apart.rows.slice(0, beforeGap), head, ...apart.rows.slice(beforeGap)];
  const rest = head === undefined ? apart.track : without(apart.track, apart.track.strip.start);
  return {
    track: rows.reduceRight((track, row) => write(track, track.strip.start - 1, row), rest),
    gap: newer.turned ? apart.gap : older.gap + apart.gap,
  };
}

/** The prompt that the newer part begins with: what the older one ends with was waiting for it. */
function headOf(older: Loaded, newer: Loaded): Row | undefined {
  const head = newer.headed ? atPlace(newer.track.strip, newer.track.strip.start) : undefined;
  return head === undefined || find(older.track, head.key) === undefined ? head : undefined;
}

interface Apart {
  /** Of the older part, with what the newer one knew of them. */
  readonly rows: readonly Row[];
  /** Of the newer part, without those. */
  readonly track: Track;
  readonly gap: number;
}

function withoutShared(rows: readonly Row[], newer: Loaded): Apart {
  let { track, gap } = newer;
  const merged = rows.map((row) => {
    const piece = find(newer.track, row.key);
    const place = piece === undefined ? undefined : lookUp(track.places, row.key);
    if (piece === undefined || place === undefined) {
      return row;
    }
    gap -= track.strip.end - place <= gap ? 1 : 0;
    track = without(track, place);
    return mergedRow(row, piece);
  });
  return { rows: merged, track, gap };
}

/**
 * Without what sandboxes said behind the slot that retired them: a push to the timeline may slip in
 * there. That is rare, so it may cost what the whole part holds.
 */
function fenced(loaded: Loaded, retired: number): Loaded {
  const counts = (row: Row) => row.kind === "boot" || row.attempt === null || row.attempt > retired;
  const rows = [...values(loaded.track.strip)];
  const gap = rows.slice(rows.length - loaded.gap).filter(counts).length;
  const track = rows.filter(counts).reduce(add, EMPTY_TRACK);
  return { ...loaded, track, gap, turns: fencedTurns(loaded.turns, retired), oldest: retired + 1 };
}

function fencedTurns(turns: Keyed<TurnFacts>, retired: number): Keyed<TurnFacts> {
  let kept: Keyed<TurnFacts> = NONE;
  for (const [key, turn] of entries(turns)) {
    kept = store(kept, key, withoutSpent(turn, retired));
  }
  return kept;
}
