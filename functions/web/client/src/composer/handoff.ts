/**
 * A first prompt on its way from the home page to the session's page, which shows it at once.
 *
 * The home page sends it; the session's page puts it among its pending prompts with `takeHandoff`,
 * and learns from `sent` whether it was accepted. Both know it by its request id.
 */
import type { Attached, PromptAccepted } from "../protocol";

export interface Handoff {
  readonly requestId: string;
  readonly text: string;
  readonly attachments: readonly Attached[];
  readonly model: string | null;
  readonly effort: string | null;
  readonly sentAt: string;
  /** Rejects with an `ApiError` when it was refused, or nobody answered. */
  readonly sent: Promise<PromptAccepted>;
}

const waiting = new Map<string, Handoff>();

export function handOff(session: string, handoff: Handoff): void {
  // Whoever takes it hears of it, too; nobody may take it.
  handoff.sent.catch(() => {});
  waiting.set(session, handoff);
}

/** Once: a second time there is nothing. */
export function takeHandoff(session: string): Handoff | null {
  const handoff = waiting.get(session) ?? null;
  waiting.delete(session);
  return handoff;
}
