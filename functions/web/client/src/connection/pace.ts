/** How long things take, in milliseconds. API Gateway ends a socket after 10 minutes of silence or 2 hours. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A frame that is not the next one: others may be on their way still, pushes have no order. */
export const HOLE = 300;

export const PING_RUNNING = 20 * SECOND;
export const PING_IDLE = 60 * SECOND;
export const PING_HIDDEN = 9 * MINUTE;

/** A socket that does not answer for longer is dead. */
export const ANSWER = 10 * SECOND;

/** The same after the machine slept or the network changed, when that is likely. */
export const PROBE_ANSWER = 4 * SECOND;

export const LIFETIME = 110 * MINUTE;

/** Up to this part of its life a socket is given up earlier, so that not all are at once. */
export const LIFETIME_SPREAD = 0.1;

/** A socket that lasted this long was a good one: the next failure is a first one. */
export const PROVEN = 10 * SECOND;

/** Between two looks at the clock; one that took much longer means that the machine slept. */
export const TICK = 5 * SECOND;
export const SLEPT = 15 * SECOND;

/** A loss that is made good within that is not worth a word. */
export const GRACE = 1 * SECOND;

/** Of `typing`: once is enough to wake a sandbox. */
export const TYPING = 20 * SECOND;

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15 * SECOND;

/** Full jitter: anything from nothing up to a bound that doubles. */
export function pause(failures: number, random: number): number {
  return random * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures);
}
