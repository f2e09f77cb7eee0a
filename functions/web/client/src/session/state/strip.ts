/**
 * A list that grows at both ends. A place is an integer that an element keeps however much is put
 * in front of it: places run from `start` up to `end`, and those below zero were put in front.
 */

import { at, EMPTY, put, type Vector } from "./vector";

export interface Strip<T> {
  readonly start: number;
  readonly end: number;
  /** Backwards from place -1. */
  readonly front: Vector<T>;
  readonly back: Vector<T>;
}

export const BLANK: Strip<never> = { start: 0, end: 0, front: EMPTY, back: EMPTY };

export function length(strip: Strip<unknown>): number {
  return strip.end - strip.start;
}

export function atPlace<T>(strip: Strip<T>, place: number): T | undefined {
  if (place < strip.start || place >= strip.end) {
    return undefined;
  }
  return place < 0 ? at(strip.front, -1 - place) : at(strip.back, place);
}

/** `place` may be the one before the first or behind the last. */
export function putAt<T>(strip: Strip<T>, place: number, value: T): Strip<T> {
  const start = Math.min(strip.start, place);
  const end = Math.max(strip.end, place + 1);
  return place < 0
    ? { start, end, front: put(strip.front, -1 - place, value), back: strip.back }
    : { start, end, front: strip.front, back: put(strip.back, place, value) };
}

/** The values from the one at `start` on. */
export function* values<T>(strip: Strip<T>): Generator<T> {
  for (let place = strip.start; place < strip.end; place += 1) {
    yield atPlace(strip, place) as T;
  }
}
