/** What a session has changed, and the patch of each file. */

import type { ChangesView, FilePatch, RefreshAsked } from "../protocol";
import { get, post } from "./request";

export function changes(id: string, signal?: AbortSignal): Promise<ChangesView> {
  return get(at(id), { signal });
}

/** Raises `ApiError`: `changes_stale` when there is a newer revision. */
export function filePatch(
  id: string,
  revision: string,
  file: string,
  signal?: AbortSignal,
): Promise<FilePatch> {
  return get(`${at(id)}/${encodeURIComponent(revision)}/${encodeURIComponent(file)}`, { signal });
}

/** Has the sandbox compare again; what comes of it is told in the timeline, and found by asking. */
export function refreshChanges(id: string): Promise<RefreshAsked> {
  return post(`${at(id)}/refresh`);
}

function at(id: string): string {
  return `/sessions/${encodeURIComponent(id)}/changes`;
}
