/** The lines of files, fetched as they come into view, a few at a time. */

import { type ReadonlySignal, signal } from "@preact/signals";
import * as api from "../../api";
import { type DiffRow, parseUnified } from "../timeline/diff/rows";
import type { Listed } from "./files";

export interface Patch {
  /** Of which comparison it is. */
  readonly revision: string;
  readonly rows: readonly DiffRow[];
  /** Why there is none. */
  readonly failed: string | null;
}

export type Patches = ReadonlyMap<string, Patch>;

const AT_ONCE = 4;

interface Wanted {
  readonly listed: Listed;
  readonly revision: string;
}

export class PatchStore {
  readonly #known = signal<Patches>(new Map());
  readonly #end = new AbortController();
  #wanted: Wanted[] = [];
  #asking = new Map<string, string>();

  /** `onStale`: there is a newer comparison. */
  constructor(
    readonly session: string,
    readonly onStale: () => void,
  ) {}

  get known(): ReadonlySignal<Patches> {
    return this.#known;
  }

  /** Asking for what is there or on its way asks for nothing; `again`: also when it has failed. */
  want(listed: Listed, revision: string, again = false): void {
    const known = this.#known.peek().get(listed.key);
    const there = known?.revision === revision && !(again && known.failed !== null);
    const coming =
      this.#asking.get(listed.key) === revision ||
      this.#wanted.some((each) => each.listed.key === listed.key && each.revision === revision);
    if (!there && !coming) {
      this.#wanted.push({ listed, revision });
      this.#next();
    }
  }

  close(): void {
    this.#wanted = [];
    this.#end.abort();
  }

  #next(): void {
    while (this.#asking.size < AT_ONCE) {
      const next = this.#wanted.findIndex(({ listed }) => !this.#asking.has(listed.key));
      const [wanted] = next < 0 ? [] : this.#wanted.splice(next, 1);
      if (wanted === undefined) {
        return;
      }
      void this.#fetch(wanted);
    }
  }

  async #fetch({ listed, revision }: Wanted): Promise<void> {
    this.#asking.set(listed.key, revision);
    try {
      const { patch } = await api.filePatch(
        this.session,
        revision,
        listed.file.id,
        this.#end.signal,
      );
      this.#keep(listed.key, { revision, rows: rowsOf(patch), failed: null });
    } catch (error) {
      this.#missed(listed.key, revision, error);
    } finally {
      this.#asking.delete(listed.key);
      this.#next();
    }
  }

  #missed(key: string, revision: string, error: unknown): void {
    if (this.#end.signal.aborted) {
      return;
    }
    if (!(error instanceof api.ApiError)) {
      throw error;
    }
    if (error.code === "changes_stale") {
      this.onStale();
    } else {
      this.#keep(key, { revision, rows: [], failed: error.message });
    }
  }

  #keep(key: string, patch: Patch): void {
    this.#known.value = new Map(this.#known.peek()).set(key, patch);
  }
}

/** A longer line holds up the page, and is read by nobody. */
const MOST_CHARS = 2_000;

export function rowsOf(patch: string): readonly DiffRow[] {
  return parseUnified(patch).flatMap((file) => file.rows.map(shortened));
}

function shortened(row: DiffRow): DiffRow {
  const more = row.text.length - MOST_CHARS;
  return more <= 0
    ? row
    : {
        ...row,
        text: `${row.text.slice(0, MOST_CHARS)} … ${more.toLocaleString("en")} more characters`,
      };
}
