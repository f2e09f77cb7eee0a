/**
 * Prompts of ours until the server has them: shown at once, kept over a reload of the page, and
 * sent with the same request id until there is an answer.
 */

import { ApiError } from "../api";
import type { NewPrompt } from "../protocol";
import type { LocalMessage, PendingPrompt } from "../session/state";
import { pause } from "./pace";
import type { Requests } from "./requests";
import type { World } from "./world";

type Tell = (
  message: LocalMessage | { type: "prompt_accepted"; requestId: string; prompt: number },
) => void;

export class Outbox {
  private readonly unsent = new Map<string, PendingPrompt>();
  private readonly underWay = new Set<string>();
  private failures = 0;
  private stopTimer = () => {};

  constructor(
    private readonly world: World,
    private readonly sessionId: string,
    private readonly requests: Requests,
    private readonly tell: Tell,
  ) {}

  /** What the page had when it was left. */
  restore(): void {
    for (const prompt of stored(this.world.load(this.key))) {
      this.unsent.set(prompt.requestId, prompt);
      this.tell({ type: "sent", prompt });
    }
  }

  /** Again, too: after it was refused. */
  add(prompt: PendingPrompt): void {
    this.unsent.set(prompt.requestId, prompt);
    this.keep();
    this.tell({ type: "sent", prompt });
    void this.deliver(prompt);
  }

  drop(requestId: string): void {
    this.remove(requestId);
    this.tell({ type: "dismissed", requestId });
  }

  /** Everything that has no answer yet. */
  flush(): void {
    this.stopTimer();
    for (const prompt of this.unsent.values()) {
      void this.deliver(prompt);
    }
  }

  close(): void {
    this.stopTimer();
  }

  private async deliver(prompt: PendingPrompt): Promise<void> {
    const { requestId } = prompt;
    if (this.underWay.has(requestId)) {
      return;
    }
    this.underWay.add(requestId);
    try {
      const number = await this.submit(prompt);
      this.failures = 0;
      this.remove(requestId);
      this.tell({ type: "prompt_accepted", requestId, prompt: number });
    } catch (error) {
      this.failed(requestId, error);
    } finally {
      this.underWay.delete(requestId);
    }
  }

  private async submit(prompt: PendingPrompt): Promise<number> {
    const asked = asNewPrompt(prompt);
    const overHttp = async () => (await this.world.server.submit(this.sessionId, asked)).number;
    return (await this.requests.ask({ type: "prompt", ...asked }, overHttp)) ?? 0;
  }

  private failed(requestId: string, error: unknown): void {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.code === "unauthenticated") {
      return; // sent again when somebody has signed in
    }
    if (error.transient) {
      this.stopTimer();
      this.stopTimer = this.world.after(pause(this.failures, this.world.random()), () =>
        this.flush(),
      );
      this.failures += 1;
      return;
    }
    this.remove(requestId);
    this.tell({ type: "prompt_refused", requestId, message: error.message });
  }

  private remove(requestId: string): void {
    this.unsent.delete(requestId);
    this.keep();
  }

  private keep(): void {
    const prompts = [...this.unsent.values()];
    this.world.keep(this.key, prompts.length === 0 ? null : JSON.stringify(prompts));
  }

  private get key(): string {
    return `outboard.pending.${this.sessionId}`;
  }
}

function asNewPrompt({ requestId, text, model, effort, attachments }: PendingPrompt): NewPrompt {
  const asked = { requestId, text, model, effort };
  return attachments.length === 0
    ? asked
    : { ...asked, attachments: attachments.map(({ id }) => id) };
}

function stored(text: string | null): readonly PendingPrompt[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
