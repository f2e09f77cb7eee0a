/** What the server knows of a session's changes, kept in step with it while the panel is open. */

import { type ReadonlySignal, signal } from "@preact/signals";
import * as api from "../../api";
import type { ChangesView } from "../../protocol";
import { PatchStore } from "./patches";
import type { Waiting } from "./words";

/** A comparison is told of in the timeline, unless it found what was known. */
const LOOKS_EVERY_MS = 1_500;
const LOOKS = 40;

type Wish = (view: ChangesView) => boolean;
type Pause = (ms: number) => Promise<void>;

const timer: Pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class ChangesStore {
  readonly patches: PatchStore;
  readonly #view = signal<ChangesView | null>(null);
  readonly #problem = signal<string | null>(null);
  readonly #waiting = signal<Waiting>("no");
  #loading = new AbortController();
  /** What is waited for. */
  #wish: Wish | null = null;

  constructor(
    readonly session: string,
    readonly pause: Pause = timer,
  ) {
    this.patches = new PatchStore(session, () => void this.load());
  }

  /** null: not there yet. */
  get view(): ReadonlySignal<ChangesView | null> {
    return this.#view;
  }

  /** That the newest is not shown, or was not asked for, and why. */
  get problem(): ReadonlySignal<string | null> {
    return this.#problem;
  }

  get waiting(): ReadonlySignal<Waiting> {
    return this.#waiting;
  }

  /** The newest that was asked for counts. */
  async load(): Promise<void> {
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const view = await api.changes(this.session, loading.signal);
      if (!loading.signal.aborted) {
        this.#view.value = view;
        this.#problem.value = null;
        this.#settle();
      }
    } catch (error) {
      if (!loading.signal.aborted) {
        this.#problem.value = `The newest can't be shown: ${wordsOf(error)}`;
      }
    }
  }

  /** Has the sandbox compare again, and waits for what it says. */
  async ask(): Promise<void> {
    const before = answered(this.#view.peek());
    this.#problem.value = null;
    this.#waiting.value = "yes";
    try {
      await api.refreshChanges(this.session);
    } catch (error) {
      this.#waiting.value = "no";
      this.#problem.value = `The sandbox can't be asked: ${wordsOf(error)}`;
      return;
    }
    await this.waitFor((view) => answered(view) !== before, "in vain");
  }

  /**
   * Looks until it is so, but not for ever: `inVain` is what is then said of it. Whoever waited for
   * something else waits no more.
   */
  async waitFor(isSo: Wish, inVain: Waiting = "no"): Promise<void> {
    this.#wish = isSo;
    this.#waiting.value = "yes";
    this.#settle();
    for (let look = 0; look < LOOKS && this.#wish === isSo; look += 1) {
      await this.pause(LOOKS_EVERY_MS);
      if (this.#wish === isSo) {
        await this.load();
      }
    }
    if (this.#wish === isSo) {
      this.#wish = null;
      this.#waiting.value = inVain;
    }
  }

  /** Nothing is waited for any more: there is nobody who could compare. */
  rest(): void {
    this.#wish = null;
    this.#waiting.value = "no";
  }

  #settle(): void {
    const view = this.#view.peek();
    if (view !== null && this.#wish?.(view)) {
      this.rest();
    }
  }

  close(): void {
    this.#wish = null;
    this.#loading.abort();
    this.patches.close();
  }
}

function answered(view: ChangesView | null): string {
  return `${view?.comparedAt} ${view?.error}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof api.ApiError) {
    return error.message;
  }
  throw error;
}
