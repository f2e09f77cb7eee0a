/** Images, up and down in the parts that one answer of a Lambda can hold. */

import type { AttachmentView } from "../protocol";
import { post, request, requestBytes } from "./request";

export interface Upload {
  readonly signal?: AbortSignal;
  /** Told after each part: 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

/** Raises `ApiError`: `invalid` for bytes that are no image of the kind they are said to be. */
export async function upload(file: File, asked: Upload = {}): Promise<AttachmentView> {
  const { signal, onProgress } = asked;
  const named = { name: file.name, type: file.type, size: file.size };
  const opened = await post<AttachmentView>("/attachments", named, { signal });
  for (const [number, bytes] of parts(file, opened.partBytes)) {
    await request("PUT", `${at(opened.id)}/parts/${number}`, { bytes, signal });
    onProgress?.(Math.min(1, ((number + 1) * opened.partBytes) / file.size));
  }
  return post(`${at(opened.id)}/complete`, undefined, { signal });
}

/** All of its bytes, with its real type, for `URL.createObjectURL`. */
export async function download(
  stored: Pick<AttachmentView, "id" | "size" | "type">,
  signal?: AbortSignal,
): Promise<Blob> {
  const bytes: Blob[] = [];
  for (let got = 0; got < stored.size; got += bytes.at(-1)?.size ?? stored.size) {
    bytes.push(await requestBytes(`${at(stored.id)}/parts/${bytes.length}`, signal));
  }
  return new Blob(bytes, { type: stored.type });
}

function* parts(file: Blob, size: number): Generator<[number, Blob]> {
  for (let number = 0; number * size < file.size; number += 1) {
    yield [number, file.slice(number * size, (number + 1) * size)];
  }
}

function at(id: string): string {
  return `/attachments/${encodeURIComponent(id)}`;
}
