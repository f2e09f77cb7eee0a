/** One's own tokens for programs. */

import type { AccessTokenCreated, AccessTokenList, NewAccessToken } from "../protocol";
import { get, post, remove } from "./request";

export function accessTokens(signal?: AbortSignal): Promise<AccessTokenList> {
  return get("/tokens", { signal });
}

/** The only time that the token itself is told. */
export function newAccessToken(asked: NewAccessToken): Promise<AccessTokenCreated> {
  return post("/tokens", asked);
}

export function revokeAccessToken(id: string): Promise<void> {
  return remove(`/tokens/${encodeURIComponent(id)}`);
}
