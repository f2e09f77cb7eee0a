/** Where the reader is in the timeline: at its end, or somewhere that has to stay in view. */

/** Of what scrolls, in pixels. */
export interface Place {
  readonly offset: number;
  readonly viewport: number;
  readonly size: number;
}

export interface Reading {
  /** What comes is scrolled into view. */
  readonly follows: boolean;
  /** Where it was when it was scrolled last, and how long it was then. */
  readonly offset: number;
  readonly size: number;
  /** How many rows have come since the reader left the end. */
  readonly missed: number;
}

export const AT_THE_END: Reading = { follows: true, offset: 0, size: 0, missed: 0 };

/** So near the end, nobody means to be elsewhere. */
const NEAR = 32;
/** Less than this is rounding, or a row above that got its real height. */
const MOVED = 2;

export function isAtEnd(place: Place): boolean {
  return place.size - place.offset - place.viewport <= NEAR;
}

/**
 * Only going up leaves the end, and only when the reader does it: rows that get their real height
 * move what is shown as well. `byReader`: there was a wheel, a finger or a key just now.
 */
export function scrolled(reading: Reading, place: Place, byReader: boolean): Reading {
  const { offset, size } = place;
  if (isAtEnd(place)) {
    return { follows: true, offset, size, missed: 0 };
  }
  const up = offset < reading.offset - MOVED;
  const leaves = up && (byReader || size === reading.size);
  return { ...reading, follows: reading.follows && !leaves, offset, size };
}

/** The end was followed to where it is now. */
export function settled(reading: Reading, { offset, size }: Place): Reading {
  return { ...reading, offset, size };
}

export function grew(reading: Reading, rows: number): Reading {
  return reading.follows || rows <= 0 ? reading : { ...reading, missed: reading.missed + rows };
}

/** The reader asked for a place of their own. */
export function left(reading: Reading): Reading {
  return { ...reading, follows: false };
}

export interface Ends {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly length: number;
}

interface KeyedRows {
  readonly length: number;
  at(index: number): { readonly key: string } | undefined;
}

export function endsOf(rows: KeyedRows): Ends {
  return { first: rows.at(0)?.key, last: rows.at(rows.length - 1)?.key, length: rows.length };
}

export interface Growth {
  readonly above: number;
  readonly below: number;
}

/** How many rows were added at either end; where both ends are new it is another list. */
export function growth(before: Ends, rows: KeyedRows): Growth {
  const added = rows.length - before.length;
  if (before.length === 0 || added <= 0) {
    return { above: 0, below: 0 };
  }
  if (rows.at(rows.length - 1)?.key === before.last) {
    return { above: added, below: 0 };
  }
  if (rows.at(0)?.key === before.first) {
    return { above: 0, below: added };
  }
  for (let above = 0; above <= added; above += 1) {
    if (rows.at(above)?.key === before.first) {
      return { above, below: added - above };
    }
  }
  return { above: 0, below: 0 };
}
