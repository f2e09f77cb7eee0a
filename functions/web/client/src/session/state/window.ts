/** The part of the timeline that is loaded. */

export interface Loaded {
  readonly first: number;
  readonly last: number;
}
