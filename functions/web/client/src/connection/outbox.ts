/**
 * Prompts of ours until the server has them: shown at once, kept over a reload of the page, and
 * sent with the same request id until there is an answer. One at a time: of two that are under way
 * at once the server may take the second first. Those that were refused for good stay until somebody
 * sends them again or dismisses them.
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
  private isAtWork = false;
  private isClosed = false;
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
    void this.work();
  }

  drop(requestId: string): void {
    this.remove(requestId);
    this.tell({ type: "dismissed", requestId });
  }

  /** Everything that has no answer yet. */
  flush(): void {
    this.stopTimer();
    void this.work();
  }

  close(): void {
    this.isClosed = true;
    this.stopTimer();
  }

  /** Until nothing is left, or one has to wait: those behind it wait, too. */
  private async work(): Promise<void> {
    if (this.isAtWork) {
      return;
    }
    this.isAtWork = true;
    try {
      let isAnswered = true;
      while (isAnswered && !this.isClosed) {
        const prompt = this.next();
        isAnswered = prompt !== undefined && (await this.deliver(prompt));
      }
    } finally {
      this.isAtWork = false;
    }
  }

  private next(): PendingPrompt | undefined {
    return [...this.unsent.values()].find(({ refused }) => refused === null);
  }

  private async deliver(prompt: PendingPrompt): Promise<boolean> {
    const { requestId } = prompt;
    try {
      const number = await this.submit(prompt);
      this.failures = 0;
      this.remove(requestId);
      this.tell({ type: "prompt_accepted", requestId, prompt: number });
      return true;
    } catch (error) {
      return this.failed(prompt, error);
    }
  }

  private async submit(prompt: PendingPrompt): Promise<number> {
    const asked = asNewPrompt(prompt);
    const overHttp = async () => (await this.world.server.submit(this.sessionId, asked)).number;
    return (await this.requests.ask({ type: "prompt", ...asked }, overHttp)) ?? 0;
  }

  /** Whether that is an answer, so that the next one may go. */
  private failed(prompt: PendingPrompt, error: unknown): boolean {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.code === "unauthenticated") {
      return false; // sent again when somebody has signed in
    }
    if (error.transient) {
      this.stopTimer();
      this.stopTimer = this.world.after(pause(this.failures, this.world.random()), () =>
        this.flush(),
      );
      this.failures += 1;
      return false;
    }
    const { requestId } = prompt;
    const { message } = error;
    if (this.unsent.has(requestId)) {
      this.unsent.set(requestId, { ...prompt, refused: message });
      this.keep();
    }
    this.tell({ type: "prompt_refused", requestId, message });
    return true;
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
