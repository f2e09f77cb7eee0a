/** One session's page, kept in step with the server for as long as it is open. */

import type { ReadonlySignal } from "@preact/signals";
import { unlessRefused } from "../api";
import type { Attached, FromClient, SessionView, ToClient } from "../protocol";
import {
  cursor,
  newestPrompt,
  type PendingPrompt,
  type SessionState,
  session,
} from "../session/state";
import { History } from "./history";
import { Line } from "./line";
import type { Place } from "./link";
import { Outbox } from "./outbox";
import { TYPING } from "./pace";
import { Page } from "./page";
import { Requests } from "./requests";
import type { World } from "./world";

export interface PromptDraft {
  readonly text: string;
  readonly attachments?: readonly Attached[];
  readonly model?: string | null;
  readonly effort?: string | null;
}

/** So many slots behind, it is quicker to begin with the newest page again. */
const TOO_FAR = 2_000;

const NO_SANDBOX = { attempt: null, status: "pending", expiresAt: null };

export class SessionConnection {
  private readonly page = new Page();
  private readonly history: History;
  private readonly requests: Requests;
  private readonly outbox: Outbox;
  private readonly line: Line;
  private readonly ends: readonly (() => void)[];
  private typedAt = Number.NEGATIVE_INFINITY;
  private lookedAt: number | null = null;

  constructor(
    private readonly world: World,
    readonly id: string,
  ) {
    const { page } = this;
    this.history = new History(world, id, page);
    this.requests = new Requests(world, (message) => this.line.send(message));
    this.outbox = new Outbox(world, id, this.requests, (message) => {
      page.tell(message);
      if (message.type === "prompt_accepted" && page.state.pending.length > 0) {
        // The frame that tells of it may be lost: its slot is in the answer.
        this.line.send({ type: "ping" });
      }
    });
    this.line = new Line(world, id, {
      place: () => this.place(),
      hello: () => ({ type: "subscribe", after: page.state.loaded?.last ?? null }),
      message: (message) => this.hear(message),
      joined: () => this.joined(),
      status: (status, error) => page.tell({ type: "connection", status, error }),
      lost: () => this.requests.lost(),
    });
    this.ends = [
      world.watch({
        visibility: () => this.look(),
        network: () => this.line.probe(),
        shown: () => this.line.probe(),
      }),
      world.onLogin((isIn) => (isIn ? this.signedIn() : this.line.leave())),
    ];
    this.outbox.restore();
    void this.line.open();
  }

  get state(): ReadonlySignal<SessionState> {
    return this.page.signal;
  }

  /** Shown at once, and sent until the server has it. Answers with its request id. */
  send(draft: PromptDraft): string {
    const requestId = this.world.newId();
    this.adopt({
      requestId,
      text: draft.text,
      attachments: draft.attachments ?? [],
      model: draft.model ?? null,
      effort: draft.effort ?? null,
      sentAt: new Date(this.world.now()).toISOString(),
    });
    return requestId;
  }

  /** One that another page has sent already: once more with its id is not twice. */
  adopt(prompt: Omit<PendingPrompt, "behind" | "number" | "refused">): void {
    const behind = newestPrompt(this.page.state);
    this.outbox.add({ ...prompt, behind, number: null, refused: null });
  }

  /** A prompt that was refused, once more. */
  sendAgain(requestId: string): void {
    const refused = this.page.state.pending.find((prompt) => prompt.requestId === requestId);
    if (refused !== undefined) {
      this.outbox.add({ ...refused, refused: null });
    }
  }

  /** A prompt that was refused, never mind. */
  dismiss(requestId: string): void {
    this.outbox.drop(requestId);
  }

  /** Takes a waiting prompt back. Raises `ApiError`, as all that follow do. */
  cancel(prompt: number): Promise<void> {
    const requestId = this.world.newId();
    return this.ask({ type: "cancel_prompt", requestId, prompt }, () =>
      this.world.server.cancelPrompt(this.id, prompt),
    );
  }

  /** Stops the prompt that runs, and not the next one when it comes late. */
  stop(): Promise<void> {
    const prompt = session(this.page.state)?.running ?? null;
    const requestId = this.world.newId();
    return this.ask({ type: "stop", requestId, prompt }, () =>
      this.world.server.stop(this.id, prompt ?? undefined),
    );
  }

  /** Lets a queue go on that was held. */
  resume(): Promise<void> {
    const requestId = this.world.newId();
    return this.ask({ type: "resume_queue", requestId }, () =>
      this.world.server.resumeQueue(this.id),
    );
  }

  /** Somebody writes: a sandbox that sleeps is woken. To be called at every key. */
  typing(): void {
    const now = this.world.now();
    if (now - this.typedAt < TYPING) {
      return;
    }
    this.typedAt = now;
    if (!this.line.send({ type: "typing" })) {
      // The prompt itself wakes it, too.
      this.world.server.warm(this.id).catch(unlessRefused);
    }
  }

  /** Loads the page in front of what is loaded, if there is one. */
  loadOlder(): Promise<void> {
    return this.history.older();
  }

  /** Shows what a request outside of this connection, for a new title say, was answered with. */
  show(view: SessionView): void {
    this.page.show(view);
  }

  close(): void {
    for (const end of this.ends) {
      end();
    }
    this.line.close();
    this.outbox.close();
  }

  private async ask(
    request: Extract<FromClient, { type: "cancel_prompt" | "stop" | "resume_queue" }>,
    overHttp: () => Promise<SessionView>,
  ): Promise<void> {
    const asOf = cursor(this.page.state);
    const answer = await this.requests.ask(request, overHttp);
    if (typeof answer === "object" && answer !== null) {
      this.page.show(answer, asOf);
    }
  }

  private place(): Place {
    const { state } = this.page;
    return {
      cursor: state.loaded?.last ?? state.tail,
      tail: state.tail,
      isRunning: (session(state)?.running ?? null) !== null,
      isVisible: this.world.isVisible(),
    };
  }

  private hear(message: ToClient): void {
    this.requests.heard(message);
    this.page.tell(message);
    void this.lookAtSandbox();
    const { loaded, tail } = this.page.state;
    if (loaded !== null && tail - loaded.last > TOO_FAR) {
      this.page.tell({ type: "restarted" });
      this.line.send({ type: "subscribe", after: null });
    }
  }

  /** When a sandbox will be over is in no event: a new one is looked at once. */
  private async lookAtSandbox(): Promise<void> {
    const { attempt, status, expiresAt } = session(this.page.state)?.sandbox ?? NO_SANDBOX;
    if (status !== "ready" || expiresAt !== null || attempt === this.lookedAt) {
      return;
    }
    this.lookedAt = attempt;
    const asOf = cursor(this.page.state);
    const view = await this.world.server.session(this.id).catch(unlessRefused);
    if (view !== null) {
      this.page.show(view, asOf);
    }
  }

  private joined(): void {
    this.outbox.flush();
    void this.history.newestPrompts();
    if (!this.world.isVisible()) {
      this.line.send({ type: "presence", visible: false });
    }
  }

  private look(): void {
    const visible = this.world.isVisible();
    this.line.send({ type: "presence", visible });
    if (visible) {
      this.line.probe();
    }
  }

  private signedIn(): void {
    if (this.page.state.connection.status === "signed_out") {
      void this.line.open();
    }
    this.outbox.flush();
  }
}
