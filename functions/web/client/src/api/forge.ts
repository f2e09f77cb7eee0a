/** What the code hosts have to work on. */

import type { BranchList, ForgeRepositoryList } from "../protocol";
import { get } from "./request";

/** Those with all of the words, or the first of them all. */
export function forgeRepositories(
  query: string,
  signal?: AbortSignal,
): Promise<ForgeRepositoryList> {
  return get("/forge/repositories", { query: { query: query || null }, signal });
}

export function forgeBranches(url: string, signal?: AbortSignal): Promise<BranchList> {
  return get("/forge/branches", { query: { url }, signal });
}
