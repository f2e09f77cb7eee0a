/** The images of a prompt that is being written: checked, uploaded at once, shown meanwhile. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import * as api from "../api";
import type { Attached, AttachmentView } from "../protocol";
import { accepted } from "./images";

export interface Upload {
  readonly key: number;
  readonly file: Pick<File, "name" | "type" | "size">;
  /** An address of the picture in this page; null: it is on its way here. */
  readonly preview: string | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly stored: AttachmentView | null;
  /** Why it could not be uploaded. */
  readonly error: string | null;
}

export interface Uploads {
  readonly all: ReadonlySignal<readonly Upload[]>;
  /** What was refused last, in words. */
  readonly problem: ReadonlySignal<string | null>;
  /** Something is on its way still, or did not arrive: the prompt can't be sent. */
  readonly unsettled: ReadonlySignal<boolean>;
  add(files: readonly File[]): void;
  /** Those of a draft from before a reload, as far as the server has them still. */
  restore(stored: readonly AttachmentView[]): void;
  retry(key: number): void;
  remove(key: number): void;
  /** What was uploaded, for the prompt; nothing is left here. */
  take(): Attached[];
  /** Ends what is on its way. */
  dispose(): void;
}

/** What is asked of the server. */
interface Asks {
  upload: typeof api.upload;
  download: typeof api.download;
}

export function useUploads(): Uploads {
  const uploads = useMemo(() => createUploads(), []);
  useEffect(() => () => uploads.dispose(), [uploads]);
  return uploads;
}

export function createUploads(asks: Asks = api): Uploads {
  const all = signal<readonly Upload[]>([]);
  const problem = signal<string | null>(null);
  const files = new Map<number, File>();
  const ends = new Map<number, AbortController>();
  let newest = 0;

  const change = (key: number, part: Partial<Upload>) => {
    all.value = all.value.map((each) => (each.key === key ? { ...each, ...part } : each));
  };

  const start = async (key: number) => {
    const file = files.get(key);
    if (!file) return;
    const end = new AbortController();
    ends.set(key, end);
    const onProgress = (progress: number) => change(key, { progress });
    try {
      change(key, {
        stored: await asks.upload(file, { signal: end.signal, onProgress }),
        progress: 1,
      });
    } catch (error) {
      if (end.signal.aborted) return;
      change(key, { error: wordsOf(error, file) });
      problem.value = wordsOf(error, file);
    }
  };

  const add = (chosen: readonly File[]) => {
    const { images, refused } = accepted(chosen, all.value.length);
    problem.value = refused;
    for (const file of images) {
      newest += 1;
      files.set(newest, file);
      const preview = URL.createObjectURL(file);
      const upload = { key: newest, file, preview, progress: 0, stored: null, error: null };
      all.value = [...all.value, upload];
      void start(newest);
    }
  };

  const restore = (kept: readonly AttachmentView[]) => {
    for (const stored of kept) {
      newest += 1;
      const key = newest;
      const upload = { key, file: stored, preview: null, progress: 1, stored, error: null };
      all.value = [...all.value, upload];
      asks.download(stored).then(
        (bytes) => change(key, { preview: URL.createObjectURL(bytes) }),
        // Who is offline or signed out only can't see it for now.
        (error) => isGone(error) && forget(all.value.filter((each) => each.key === key)),
      );
    }
  };

  const forget = (gone: readonly Upload[]) => {
    for (const each of gone) {
      ends.get(each.key)?.abort();
      ends.delete(each.key);
      files.delete(each.key);
      if (each.preview) URL.revokeObjectURL(each.preview);
    }
    all.value = all.value.filter((each) => !gone.includes(each));
    problem.value = all.value.find((each) => each.error)?.error ?? null;
  };

  return {
    all,
    problem,
    unsettled: computed(() => all.value.some((each) => each.stored === null)),
    add,
    restore,
    retry(key) {
      change(key, { error: null, progress: 0 });
      problem.value = null;
      void start(key);
    },
    remove: (key) => forget(all.value.filter((each) => each.key === key)),
    take() {
      const taken = all.value.flatMap(({ stored }) => (stored ? [attached(stored)] : []));
      forget(all.value);
      return taken;
    },
    dispose: () => forget(all.value),
  };
}

function isGone(error: unknown): boolean {
  return error instanceof api.ApiError && error.status === 404;
}

function attached({ id, name, type, size, width, height }: AttachmentView): Attached {
  return { id, name, type, size, width: width ?? 0, height: height ?? 0 };
}

function wordsOf(error: unknown, file: File): string {
  if (!(error instanceof api.ApiError)) throw error;
  if (error.code === api.UNREACHABLE) return `${file.name} could not be uploaded: no connection.`;
  return `${file.name} could not be uploaded: ${error.message}.`;
}
