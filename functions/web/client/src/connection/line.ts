/**
 * A socket to one session for as long as the page is open: `link`'s rules with real I/O. Each socket
 * needs a ticket of its own; one that fails is replaced after a jittered pause, for ever.
 */

import { ApiError } from "../api";
import type { FromClient, ToClient } from "../protocol";
import type { ConnectionStatus } from "../session/state";
import {
  dialled,
  due,
  heard,
  isOver,
  isProven,
  type Link,
  nextLook,
  type Place,
  pinged,
} from "./link";
import { GRACE, PROBE_ANSWER, pause, SLEPT, TICK } from "./pace";
import type { Socket, World } from "./world";

export interface Listener {
  /** How far the page is now. */
  place(): Place;
  /** The first thing to say on a new socket. */
  hello(): FromClient;
  message(message: ToClient): void;
  /** A socket is open and subscribed. */
  joined(): void;
  status(status: ConnectionStatus, error: string | null): void;
  /** What was sent on the socket and is not answered will not be. */
  lost(): void;
}

interface Connected {
  readonly socket: Socket;
  link: Link;
}

const NOT_OURS: ReadonlySet<number> = new Set([403, 404, 422]);

export class Line {
  private connected: Connected | null = null;
  /** Of the socket that is dialled or open; what an older one still says is not heard. */
  private generation = 0;
  private failures = 0;
  private wasOpen = false;
  private lookedAt: number;
  private stopTimer = () => {};
  /** Set from a loss on until it is made good. */
  private stopGrace: (() => void) | null = null;

  constructor(
    private readonly world: World,
    private readonly sessionId: string,
    private readonly listener: Listener,
  ) {
    this.lookedAt = world.now();
  }

  get isOpen(): boolean {
    return this.connected?.link.isSubscribed === true;
  }

  /** Dials, now. */
  async open(): Promise<void> {
    this.drop();
    const { generation } = this;
    try {
      const { url } = await this.world.server.socketTicket(this.sessionId);
      if (generation === this.generation) {
        this.dial(url, generation);
      }
    } catch (error) {
      if (generation === this.generation) {
        this.refused(error);
      }
    }
  }

  close(): void {
    this.drop();
    this.endGrace();
  }

  /** Nobody is signed in any more. The server would let an open socket go on for hours. */
  leave(): void {
    this.close();
    this.listener.status("signed_out", null);
  }

  /** false: it is not open, nothing was sent. */
  send(message: FromClient): boolean {
    if (this.connected === null || !this.isOpen) {
      return false;
    }
    this.connected.socket.send(JSON.stringify(message));
    return true;
  }

  /** After something that may have cost us the socket without a word: is it still there? */
  probe(): void {
    if (this.connected === null) {
      this.failures = 0;
      this.tellLoss();
      void this.open();
    } else if (this.isOpen) {
      this.send({ type: "ping" });
      this.connected.link = pinged(this.connected.link, this.world.now(), PROBE_ANSWER);
    }
    this.look();
  }

  /** Does what is due, and comes back when something will be. */
  look(): void {
    this.stopTimer();
    const now = this.world.now();
    const { connected } = this;
    this.lookedAt = now;
    if (connected === null) {
      return;
    }
    const place = this.listener.place();
    const [link, messages] = due(connected.link, place, now);
    connected.link = link;
    for (const message of messages) {
      this.send(message);
    }
    if (isOver(link, now)) {
      this.lost();
      return;
    }
    const next = Math.max(0, nextLook(link, place) - now);
    this.stopTimer = this.world.after(place.isVisible ? Math.min(next, TICK) : next, () =>
      this.tick(),
    );
  }

  private tick(): void {
    const hasSlept = this.world.now() - this.lookedAt > SLEPT && this.world.isVisible();
    if (hasSlept && this.isOpen) {
      this.probe();
    } else {
      this.look();
    }
  }

  private dial(url: string, generation: number): void {
    const isCurrent = () => generation === this.generation;
    const socket = this.world.dial(url, {
      opened: () => isCurrent() && this.greet(),
      heard: (text) => isCurrent() && this.hear(text),
      closed: () => isCurrent() && this.lost(),
    });
    this.connected = { socket, link: dialled(this.world.now(), this.world.random()) };
    this.look();
  }

  private greet(): void {
    this.connected?.socket.send(JSON.stringify(this.listener.hello()));
  }

  private hear(text: string): void {
    const { connected } = this;
    const message = parsed(text);
    if (connected === null || message === null) {
      return;
    }
    const before = this.listener.place();
    this.listener.message(message);
    if (this.connected !== connected) {
      return;
    }
    connected.link = heard(
      connected.link,
      message,
      before,
      this.listener.place(),
      this.world.now(),
    );
    if (message.type === "subscribed") {
      this.opened();
    }
    this.look();
  }

  private opened(): void {
    this.endGrace();
    this.wasOpen = true;
    this.listener.status("open", null);
    this.listener.joined();
  }

  private lost(): void {
    const { connected } = this;
    if (connected !== null && isProven(connected.link, this.world.now())) {
      this.failures = 0;
    }
    this.again();
  }

  private again(): void {
    this.drop();
    this.stopGrace ??= this.world.after(this.wasOpen ? GRACE : 0, () => this.tellLoss());
    const wait = pause(this.failures, this.world.random());
    this.failures += 1;
    this.stopTimer = this.world.after(wait, () => void this.open());
  }

  private tellLoss(): void {
    const lost = this.wasOpen ? "reconnecting" : "connecting";
    this.listener.status(this.world.isOnline() ? lost : "offline", null);
  }

  private endGrace(): void {
    this.stopGrace?.();
    this.stopGrace = null;
  }

  /** No ticket: what signing in or asking for another session could change is not tried again. */
  private refused(error: unknown): void {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.code === "unauthenticated") {
      this.endGrace();
      this.listener.status("signed_out", error.message);
    } else if (NOT_OURS.has(error.status)) {
      this.endGrace();
      this.listener.status("refused", error.message);
    } else {
      this.again();
    }
  }

  private drop(): void {
    this.stopTimer();
    this.generation += 1;
    const { connected } = this;
    this.connected = null;
    if (connected !== null) {
      connected.socket.close();
      this.listener.lost();
    }
  }
}

/** What a newer server says and we do not understand is, if it was a frame, a hole and fetched. */
function parsed(text: string): ToClient | null {
  try {
    return JSON.parse(text) as ToClient;
  } catch {
    return null;
  }
}
