/** A server of one session, as far as a browser can tell: its timeline, its queue, its pushes. */

import { ApiError } from "../../src/api";
import type {
  FrameMessage,
  FromClient,
  NewPrompt,
  PromptView,
  SessionView,
  ToClient,
} from "../../src/protocol";
import { VIEW } from "../session/state/story";

type Event = Record<string, unknown> & { type: string };
type Push = (message: ToClient) => void;

const PAGE = 20;

export class FakeServer {
  readonly log: FrameMessage[] = [];
  readonly prompts: PromptView[] = [];
  readonly texts: string[] = [];
  /** How often each kind of message came in. */
  readonly asked = new Map<string, number>();
  private readonly requests = new Map<string, number>();
  private readonly viewers = new Set<Push>();
  private running: number | null = null;
  private said = 0;

  constructor(private readonly now: () => number) {}

  /** Something goes on in the sandbox. */
  step(choice: number): void {
    const next = this.prompts.find(({ status }) => status === "queued");
    if (this.running === null) {
      if (next !== undefined) {
        this.running = next.number;
        this.change(next.number, { status: "running" });
        this.write([{ type: "prompt_dispatched", prompt: next.number }]);
      }
      return;
    }
    const prompt = this.running;
    this.said += 1;
    const word = `w${this.said} `;
    const part = `p${choice % 2}`;
    switch (choice % 4) {
      case 0:
        this.finish(prompt, "completed");
        break;
      case 1:
        this.write(
          [{ type: "tool", prompt, call: part, tool: "bash", status: "running", output: word }],
          1,
        );
        break;
      default:
        this.write([{ type: "text_delta", prompt, part, delta: word }], 1);
    }
  }

  subscribe(push: Push): void {
    this.viewers.add(push);
  }

  forget(push: Push): void {
    this.viewers.delete(push);
  }

  /** Raises `ApiError`, as the domain refuses. */
  answer(message: FromClient): ToClient {
    this.asked.set(message.type, (this.asked.get(message.type) ?? 0) + 1);
    switch (message.type) {
      case "subscribe":
        return this.subscribed(message.after ?? null);
      case "fetch":
        return { type: "page", ...this.page(message.after ?? 0), tail: this.log.length };
      case "ping":
        return { type: "pong", tail: this.log.length };
      case "prompt":
        return {
          type: "prompt_accepted",
          requestId: message.requestId,
          prompt: this.submit(message),
        };
      case "cancel_prompt":
        this.cancel(message.prompt);
        return { type: "done", requestId: message.requestId };
      case "stop":
        this.stop(message.prompt ?? null);
        return { type: "done", requestId: message.requestId };
      default:
        return { type: "done", requestId: "none" };
    }
  }

  submit({ requestId, text }: Pick<NewPrompt, "requestId" | "text">): number {
    const known = this.requests.get(requestId);
    if (known !== undefined) {
      return known;
    }
    if (text === "refuse me") {
      throw new ApiError(409, "rejected", "not that");
    }
    const number = this.prompts.length + 1;
    this.requests.set(requestId, number);
    this.texts.push(text);
    this.prompts.push(newPrompt(number, text, new Date(this.now()).toISOString()));
    this.write([
      { type: "prompt_queued", prompt: number, author: "Ada", text, model: "demo/demo" },
    ]);
    return number;
  }

  cancel(number: number): void {
    if (this.prompts[number - 1]?.status === "queued") {
      this.finish(number, "cancelled");
    }
  }

  stop(number: number | null): void {
    if (this.running !== null && (number ?? this.running) === this.running) {
      this.finish(this.running, "stopped");
    }
  }

  view(): SessionView {
    const had = this.prompts.filter(
      ({ status }) => !["queued", "running", "cancelled"].includes(status),
    );
    const queued = this.prompts.filter(({ status }) => status === "queued");
    return {
      ...VIEW,
      prompts: this.prompts.length,
      running: this.running,
      unfinished: queued.length + (this.running === null ? 0 : 1),
      finished: had.at(-1)?.number ?? null,
      outcome: had.at(-1)?.status ?? null,
      cost: had.reduce((sum, { cost }) => sum + cost, 0),
      tokens: VIEW.tokens,
    };
  }

  before(slot: number, limit: number): FrameMessage[] {
    return this.log.slice(Math.max(0, slot - 1 - limit), slot - 1);
  }

  private subscribed(after: number | null): ToClient {
    const { frames, more } =
      after === null
        ? { frames: this.before(this.log.length + 1, PAGE), more: this.log.length > PAGE }
        : this.page(after);
    const tail = frames.at(-1)?.seq ?? this.log.length;
    const view = this.view();
    return { type: "subscribed", session: view, user: "ada", participants: [], frames, tail, more };
  }

  private page(after: number): { frames: FrameMessage[]; more: boolean } {
    const frames = this.log.slice(after, after + PAGE);
    return { frames, more: after + PAGE < this.log.length };
  }

  private finish(prompt: number, status: "completed" | "stopped" | "cancelled"): void {
    const cost = status === "cancelled" ? 0 : 1;
    this.change(prompt, { status, cost, finishedAt: new Date(this.now()).toISOString() });
    if (this.running === prompt) {
      this.running = null;
    }
    this.write([{ type: "prompt_finished", prompt, status, cost }]);
  }

  private change(number: number, change: Partial<PromptView>): void {
    const prompt = this.prompts[number - 1];
    if (prompt !== undefined) {
      this.prompts[number - 1] = { ...prompt, ...change };
    }
  }

  private write(told: readonly Event[], attempt: number | null = null): void {
    const seq = this.log.length + 1;
    const at = new Date(this.now()).toISOString();
    const items = told.map((event) => ({ type: event.type, event }));
    const frame: FrameMessage = { type: "frame", seq, at, attempt, items };
    this.log.push(frame);
    for (const push of this.viewers) {
      push(frame);
    }
  }
}

function newPrompt(number: number, text: string, createdAt: string): PromptView {
  return {
    number,
    status: "queued",
    author: { name: "Ada", email: "ada@example.com" },
    user: "ada",
    text,
    attachments: [],
    model: "demo/demo",
    effort: null,
    createdAt,
    finishedAt: null,
    error: null,
    branch: null,
    commit: null,
    cost: 0,
    tokens: { input: 0, output: 0, cached: 0 },
  };
}
