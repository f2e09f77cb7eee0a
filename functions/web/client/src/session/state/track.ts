/** Rows in their order, each found by its key. */

import { type Keyed, lookUp, NONE, store } from "./keyed";
import { mergedRow } from "./merging";
import type { Row } from "./rows";
import { atPlace, BLANK, putAt, type Strip } from "./strip";

export interface Track {
  readonly strip: Strip<Row>;
  /** By key. */
  readonly places: Keyed<number>;
}

export const EMPTY_TRACK: Track = { strip: BLANK, places: NONE };

export function find(track: Track, key: string): Row | undefined {
  const place = lookUp(track.places, key);
  return place === undefined ? undefined : atPlace(track.strip, place);
}

export function write(track: Track, place: number, row: Row): Track {
  return {
    strip: putAt(track.strip, place, row),
    places:
      lookUp(track.places, row.key) === place ? track.places : store(track.places, row.key, place),
  };
}

/** A piece of a row: behind all others if it is the first one. */
export function add(track: Track, piece: Row): Track {
  const place = lookUp(track.places, piece.key);
  if (place === undefined) {
    return write(track, track.strip.end, piece);
  }
  const older = atPlace(track.strip, place);
  return write(track, place, older === undefined ? piece : mergedRow(older, piece));
}

/** In front of the last `count` rows, which move by one. */
export function insert(track: Track, count: number, row: Row): Track {
  let moved = track;
  const { end } = track.strip;
  for (let place = end; place > end - count; place -= 1) {
    moved = write(moved, place, rowAt(moved, place - 1));
  }
  return write(moved, end - count, row);
}

/**
 * Without the row at that place: the rows on the shorter side of it move by one.
 */
export function without(track: Track, place: number): Track {
  const { start, end } = track.strip;
  let moved = track;
  if (end > 0 && end - place < place - start) {
    for (let next = place + 1; next < end; next += 1) {
      moved = write(moved, next - 1, rowAt(moved, next));
    }
    return { ...moved, strip: { ...moved.strip, end: end - 1 } };
  }
  for (let next = place - 1; next >= start; next -= 1) {
    moved = write(moved, next + 1, rowAt(moved, next));
  }
  return { ...moved, strip: { ...moved.strip, start: start + 1 } };
}

function rowAt(track: Track, place: number): Row {
  const row = atPlace(track.strip, place);
  if (row === undefined) {
    throw new RangeError(`no row at ${place}`);
  }
  return row;
}
