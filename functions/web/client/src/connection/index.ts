/** `openSession(id)`: a session's state as a signal, kept in step with the server. */

import { BROWSER } from "./browser";
import { SessionConnection } from "./session";

export type { PromptDraft } from "./session";
export type { SessionConnection };

/** To be closed when its page is left. */
export function openSession(id: string): SessionConnection {
  return new SessionConnection(BROWSER, id);
}
