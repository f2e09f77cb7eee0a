/** What a connection needs of the world: time, the network, the page and what survives a reload. */

import type {
  cancelPrompt,
  prompts,
  resumeQueue,
  session,
  socketTicket,
  stop,
  submit,
  timeline,
  warm,
} from "../api";

export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface Hearer {
  opened(): void;
  heard(text: string): void;
  closed(): void;
}

export interface Server {
  readonly cancelPrompt: typeof cancelPrompt;
  readonly prompts: typeof prompts;
  readonly resumeQueue: typeof resumeQueue;
  readonly session: typeof session;
  readonly socketTicket: typeof socketTicket;
  readonly stop: typeof stop;
  readonly submit: typeof submit;
  readonly timeline: typeof timeline;
  readonly warm: typeof warm;
}

/** What happens to the page and its network. */
export interface Occasions {
  /** It is looked at, or not any more. */
  visibility(): void;
  network(): void;
  /** It comes back: out of the browser's cache of pages, for one. */
  shown(): void;
}

type Cancel = () => void;

export interface World {
  readonly server: Server;
  /** The wall clock, in milliseconds: it goes on while the machine sleeps. */
  now(): number;
  after(milliseconds: number, act: () => void): Cancel;
  random(): number;
  newId(): string;
  dial(url: string, hearer: Hearer): Socket;
  isVisible(): boolean;
  isOnline(): boolean;
  watch(occasions: Occasions): Cancel;
  /** Calls when this browser's login is over, and when somebody signed in after all. */
  onLogin(act: (isIn: boolean) => void): Cancel;
  load(key: string): string | null;
  keep(key: string, value: string | null): void;
}
