/** A session's page as a value: `receive` a message, and ask what to show. */

export type * from "./rows";
export type * from "./types";
