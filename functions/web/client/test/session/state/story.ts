/** Timelines as a server writes them: any story of prompts, sandboxes and what agents say. */

import fc from "fast-check";
import type { FrameMessage, SessionView } from "../../../src/protocol";

type Event = Record<string, unknown> & { type: string };

/** What one slot of the timeline says, by lot. */
interface Lot {
  readonly act: number;
  readonly part: number;
  readonly word: string;
  readonly amount: number;
}

const lot: fc.Arbitrary<Lot> = fc.record({
  act: fc.noBias(fc.nat({ max: 999 })),
  part: fc.noBias(fc.nat({ max: 3 })),
  word: fc.string({ minLength: 1, maxLength: 4 }),
  amount: fc.noBias(fc.nat({ max: 9 })),
});

export const stories = (maxLength = 60): fc.Arbitrary<FrameMessage[]> =>
  fc.array(lot, { minLength: 1, maxLength, size: "max" }).map((lots) => {
    const teller = new Teller();
    return lots.map((drawn, index) => teller.frame(drawn, index + 1));
  });

/** Keeps to what the server would write: turns one after the other, sandboxes that end. */
class Teller {
  private prompts = 0;
  private queue: number[] = [];
  private running: number | null = null;
  private begun = 0;
  private attempt = 0;
  private alive = false;

  frame(drawn: Lot, seq: number): FrameMessage {
    const { act } = drawn;
    const acts: (() => Event[] | null)[] = [
      () => this.worked(drawn),
      () => this.began(),
      () => this.spawned(),
      () => this.queued(drawn),
      () => this.saidLate(drawn),
      () => this.worked(drawn),
      () => this.booted(drawn),
      () => this.finished(drawn),
      () => this.worked(drawn),
      () => (act % 3 === 0 ? this.ended(drawn) : this.worked(drawn)),
      () => (act % 3 === 0 ? this.cancelled() : this.began()),
      () => this.noted(drawn),
    ];
    for (let tried = 0; tried < acts.length; tried += 1) {
      const told = acts[(drawn.act + tried) % acts.length]?.();
      if (told) {
        return frame(seq, told);
      }
    }
    throw new Error("nothing can happen");
  }

  private queued({ word }: Lot): Event[] {
    this.prompts += 1;
    this.queue.push(this.prompts);
    const prompt = this.prompts;
    return [{ type: "prompt_queued", prompt, author: "Ada", text: word, model: "demo/demo" }];
  }

  private spawned(): Event[] | null {
    if (this.alive) {
      return null;
    }
    this.attempt += 1;
    this.alive = true;
    return [
      { type: "sandbox_spawning", attempt: this.attempt, boot: "fresh" },
      { type: "sandbox_status", attempt: this.attempt, status: "spawning" },
    ];
  }

  private booted({ part, amount }: Lot): Event[] | null {
    if (!this.alive) {
      return null;
    }
    const phase = ["sync", "setup", "start", "harness"][part];
    const status = amount < 5 ? "started" : "completed";
    return [by(this.attempt), { type: "boot_progress", phase, status, elapsedMs: amount }];
  }

  private began(): Event[] | null {
    const next = this.queue[0];
    if (!this.alive || this.running !== null || next === undefined) {
      return null;
    }
    this.running = next;
    this.begun = next;
    this.queue = this.queue.slice(1);
    return [
      { type: "sandbox_status", attempt: this.attempt, status: "ready" },
      { type: "prompt_dispatched", prompt: next },
    ];
  }

  private worked(drawn: Lot): Event[] | null {
    return this.running === null || !this.alive
      ? null
      : [by(this.attempt), ...said(this.running, drawn), ...pushed(this.running, drawn)];
  }

  /** Slipped in behind the slot that retired the sandbox. */
  private saidLate(drawn: Lot): Event[] | null {
    const retired = this.alive ? this.attempt - 1 : this.attempt;
    return retired < 1 || this.begun === 0 ? null : [by(retired), ...said(this.begun, drawn)];
  }

  private finished({ amount }: Lot): Event[] | null {
    if (this.running === null) {
      return null;
    }
    const prompt = this.running;
    this.running = null;
    const tokens = { input: amount, output: 1, cached: 0 };
    return [{ type: "prompt_finished", prompt, status: "completed", cost: amount, tokens }];
  }

  private cancelled(): Event[] | null {
    const prompt = this.queue.pop();
    return prompt === undefined
      ? null
      : [{ type: "prompt_finished", prompt, status: "cancelled", cost: 0 }];
  }

  private ended({ act }: Lot): Event[] | null {
    if (!this.alive) {
      return null;
    }
    this.alive = false;
    const over = this.running;
    this.running = null;
    const failed = { type: "prompt_finished", prompt: over, status: "failed", error: "gone" };
    const status = { type: "sandbox_status", attempt: this.attempt, status: "stopped" };
    const stopped = over === null && act % 2 === 0 ? { ...status, reason: "inactive" } : status;
    return over === null ? [stopped] : [stopped, failed];
  }

  private noted({ part, word, amount }: Lot): Event[] {
    const notes: Event[] = [
      { type: "title", title: word },
      { type: "queue_held", reason: word },
      { type: "queue_resumed", by: "ada" },
      { type: "warning", message: word, scope: "workspace" },
    ];
    return [
      { type: "snapshot_saved", attempt: this.attempt, prompt: amount % (this.prompts + 1) },
      notes[part] ?? { type: "something_new" },
      { type: "artifact_created", id: `a${amount}`, kind: "link" },
    ];
  }
}

/** Never late: it is a decision, too. */
function pushed(prompt: number, { part, word, amount }: Lot): Event[] {
  const push = { prompt, repository: `r${part}`, branch: "outboard/s1", commit: word };
  return amount > 5 ? [{ type: "pushed", ...push }] : [];
}

function said(prompt: number, { act, part, word, amount }: Lot): Event[] {
  const id = `p${part}`;
  const all: Event[] = [
    { type: "prompt_started", prompt },
    { type: "text", prompt, part: id, text: word },
    { type: "text_delta", prompt, part: id, delta: word },
    { type: "reasoning", prompt, part: id, text: word },
    { type: "tool", prompt, call: id, tool: "bash", status: "running", input: { word } },
    { type: "tool", prompt, call: id, tool: "bash", status: "completed", output: word },
    { type: "todo", prompt, items: [{ content: word, status: "pending" }] },
    { type: "step_finished", prompt, cost: amount, tokens: { input: amount, output: 1 } },
    { type: "retrying", prompt, attempt: amount, reason: word },
    { type: "from_the_future", prompt },
  ];
  const at = Math.floor(act / 12);
  // A late frame never begins a turn: that would be a decision, and those are refused.
  return [all[1 + (at % 9)], all[1 + ((at + amount) % 9)]].filter((event) => event !== undefined);
}

/** Marks a frame as said by that sandbox. */
function by(attempt: number): Event {
  return { type: "", attempt };
}

function frame(seq: number, told: readonly Event[]): FrameMessage {
  const attempt = told[0]?.type === "" ? (told[0].attempt as number) : null;
  const items = told.filter(({ type }) => type !== "");
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString();
  return {
    type: "frame",
    seq,
    at,
    attempt,
    items: items.map((event) => ({ type: event.type, event })),
  };
}

export const VIEW: SessionView = {
  id: "s1",
  title: "",
  owner: "ada",
  environment: null,
  status: "created",
  sandbox: {
    status: "pending",
    attempt: null,
    phase: null,
    repository: null,
    error: null,
    expiresAt: null,
    tunnels: {},
    savedAt: null,
  },
  repositories: ["r0", "r1"].map((name) => ({
    url: `https://git.example.com/${name}`,
    name,
    branch: null,
    label: "",
    pushedBranch: null,
    pushedCommit: null,
  })),
  model: "demo/demo",
  effort: null,
  settings: {
    lifetimeSeconds: null,
    finalBufferSeconds: null,
    inactivitySeconds: null,
    tunnelPorts: null,
    cpuCores: null,
    memoryMib: null,
  },
  demo: true,
  pullRequests: [],
  offers: [],
  prompts: 0,
  unfinished: 0,
  finished: null,
  outcome: null,
  running: null,
  held: false,
  retryAt: null,
  branch: null,
  commit: null,
  cost: 0,
  tokens: { input: 0, output: 0, cached: 0 },
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
};
