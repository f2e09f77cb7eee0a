/** A world whose network loses, doubles, delays and cuts, whose page is hidden and reloaded. */

import { ApiError } from "../../src/api";
import type { Hearer, Occasions, Server, Socket, World } from "../../src/connection/world";
import type { EntryView, FromClient, ToClient } from "../../src/protocol";
import { Clock } from "./clock";
import { FakeServer } from "./server";

const LATENCY = 20;

interface Wire {
  /** Nothing passes any more, and nobody is told. */
  isDead: boolean;
  readonly end: (isTold: boolean) => void;
}

export class FakeWorld implements World {
  readonly clock = new Clock();
  readonly host = new FakeServer(() => this.clock.now);
  readonly wires = new Set<Wire>();
  readonly stored = new Map<string, string>();
  /** Of a hundred messages. */
  faults = 0;
  visible = true;
  online = true;
  signedIn = true;
  dialled = 0;
  private readonly occasions = new Set<Occasions>();
  private readonly logins = new Set<(isIn: boolean) => void>();
  private ids = 0;

  constructor(private seed = 1) {}

  readonly now = () => this.clock.now;
  readonly after = (milliseconds: number, act: () => void) => this.clock.after(milliseconds, act);
  readonly isVisible = () => this.visible;
  readonly isOnline = () => this.online;
  readonly newId = () => `request-${++this.ids}`;
  readonly load = (key: string) => this.stored.get(key) ?? null;

  /** mulberry32 */
  readonly random = () => {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), 1 | this.seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };

  keep(key: string, value: string | null): void {
    if (value === null) {
      this.stored.delete(key);
    } else {
      this.stored.set(key, value);
    }
  }

  watch(occasions: Occasions): () => void {
    this.occasions.add(occasions);
    return () => this.occasions.delete(occasions);
  }

  onLogin(act: (isIn: boolean) => void): () => void {
    this.logins.add(act);
    return () => this.logins.delete(act);
  }

  signIn(): void {
    this.login(true);
  }

  signOut(): void {
    this.login(false);
  }

  private login(isIn: boolean): void {
    this.signedIn = isIn;
    for (const act of this.logins) {
      act(isIn);
    }
  }

  show(visible: boolean): void {
    this.visible = visible;
    for (const { visibility } of this.occasions) {
      visibility();
    }
  }

  connect(online: boolean): void {
    this.online = online;
    for (const { network } of this.occasions) {
      network();
    }
  }

  /** Every socket is cut: the page is told, or it is not. */
  cut(isTold: boolean): void {
    for (const wire of [...this.wires]) {
      wire.end(isTold);
    }
  }

  dial(_: string, hearer: Hearer): Socket {
    this.dialled += 1;
    const push = (message: ToClient) =>
      this.carry(wire, () => hearer.heard(JSON.stringify(message)));
    const wire: Wire = {
      isDead: false,
      end: (isTold) => {
        wire.isDead = true;
        this.wires.delete(wire);
        this.host.forget(push);
        if (isTold) {
          hearer.closed();
        }
      },
    };
    this.wires.add(wire);
    this.after(LATENCY, () => wire.isDead || hearer.opened());
    return {
      send: (text) => this.carry(wire, () => this.serve(JSON.parse(text), push)),
      close: () => wire.end(false),
    };
  }

  get server(): Server {
    return {
      socketTicket: () =>
        this.request(() => ({ ticket: "t", url: "ws://here/?ticket=t", expiresAt: "" })),
      submit: (_, asked) => this.request(() => ({ number: this.host.submit(asked), position: 0 })),
      cancelPrompt: (_, number) =>
        this.request(() => [this.host.cancel(number), this.host.view()][1] as never),
      stop: (_, prompt) =>
        this.request(() => [this.host.stop(prompt ?? null), this.host.view()][1] as never),
      resumeQueue: () => this.request(() => this.host.view()),
      session: () => this.request(() => this.host.view()),
      warm: () => this.request(() => this.host.view()),
      prompts: (_, { after = 0, limit = 50 } = {}) =>
        this.request(() => ({
          prompts: this.host.prompts.slice(after, after + limit),
          next: null,
        })),
      timeline: (_, { before = 1, limit = 100 }) =>
        this.request(() => {
          const frames = this.host.before(before, limit);
          const entries: EntryView[] = frames.map(({ seq, at, attempt, items }) => ({
            seq,
            at,
            attempt,
            events: items.map(({ event }) => event),
          }));
          return { entries, tail: this.host.log.length };
        }),
    };
  }

  private serve(message: FromClient, push: (message: ToClient) => void): void {
    if (message.type === "subscribe") {
      this.host.subscribe(push);
    }
    try {
      push(this.host.answer(message));
    } catch (error) {
      const { code, message: why } = error as ApiError;
      const requestId = "requestId" in message ? message.requestId : null;
      push({ type: "error", code, message: why, requestId });
    }
  }

  private carry(wire: Wire, arrive: () => void): void {
    const lot = this.random() * 100;
    const times = lot < this.faults ? 0 : lot < 2 * this.faults ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const delay = LATENCY * (this.faults > 0 ? 1 + 40 * this.random() : 1);
      this.after(delay, () => wire.isDead || arrive());
    }
  }

  /** May fail before it is carried out, and after. */
  private request<T>(act: () => T): Promise<T> {
    const isLost = this.random() * 100 < this.faults;
    const isDone = this.random() < 0.5;
    return new Promise((resolve, reject) => {
      this.after(LATENCY, () => {
        try {
          if (!this.signedIn) {
            throw new ApiError(401, "unauthenticated", "sign in");
          }
          const answer = isLost && !isDone ? undefined : act();
          if (isLost || answer === undefined) {
            throw new ApiError(0, "unreachable", "lost");
          }
          resolve(answer);
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}
