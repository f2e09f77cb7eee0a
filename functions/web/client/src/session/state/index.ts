/** A session's page as a value: `receive` a message, and ask what to show. */

export { newestPrompt, type QueuedPrompt, queue, turn, upNext } from "./prompts";
export { INITIAL, receive } from "./receive";
export type * from "./rows";
export { compared, cursor, handedIn, hasOlder, session } from "./select";
export { allRows, oldestTurn, type Rows, rows } from "./timeline";
export type * from "./types";
