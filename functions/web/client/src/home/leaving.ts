/** From the home page to the session it has opened, which is shown at once, and everywhere. */
import { navigate } from "wouter-preact/use-browser-location";
import * as api from "../api";
import { handOff } from "../composer/handoff";
import type { Attached, SessionView } from "../protocol";
import { optimistically } from "../shell/inbox";
import { changed } from "../shell/session-actions";
import { MAX_TITLE_CHARS } from "../shell/session-names";
import { setDraft } from "./draft";
import type { Choice } from "./warming";

/** Sends the first prompt; the session's page hears whether it was accepted. */
export function leaveFor(
  session: SessionView,
  { model, effort }: Choice,
  text: string,
  attachments: Attached[],
): void {
  const { id } = session;
  const requestId = api.newRequestId();
  const sentAt = new Date().toISOString();
  const images = attachments.map((each) => each.id);
  const sent = api.submit(id, { requestId, text, model, effort, attachments: images });
  handOff(id, { requestId, text, attachments, model, effort, sentAt, sent });

  const working = { ...session, title: session.title || titleOf(text), updatedAt: sentAt };
  changed.value = working;
  const row = { session: { ...working, status: "active" }, unread: false };
  // A refusal is said, and answered, on the session's page.
  optimistically({ kind: "show", session: id, row }, () => sent).catch(() => {});

  setDraft("");
  navigate(`/session/${id}`);
}

/** As the server will name it, or near to that, for the moment until it does. */
function titleOf(text: string): string {
  return text.split("\n", 1).join("").slice(0, MAX_TITLE_CHARS);
}
