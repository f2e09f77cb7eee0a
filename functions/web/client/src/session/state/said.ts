/** Where and when something was said. */

export interface Said {
  readonly seq: number;
  /** Among what the same frame says. */
  readonly index: number;
  readonly at: string;
  /** The sandbox that said it; null: the server did. */
  readonly attempt: number | null;
}
