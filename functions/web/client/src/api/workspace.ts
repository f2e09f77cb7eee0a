/** Who we are, and what may be chosen. */

import type {
  Me,
  ModelList,
  ProfileChange,
  RepositoryList,
  SignedIn,
  SignInCode,
  UserToken,
} from "../protocol";
import { keepPageKey } from "./page-key";
import { get, patch, post, remove } from "./request";
import { signedOut } from "./signed-out";

export async function signIn(code: string): Promise<Me> {
  const { pageKey, ...me } = await post<SignedIn>("/sign-in", { code });
  keepPageKey(pageKey);
  signedOut.value = false;
  return me;
}

/** This browser only. */
export async function signOut(): Promise<void> {
  await remove("/sign-in");
  keepPageKey(null);
  signedOut.value = true;
}

/** Every browser of this person, this one too. `tokens`: what programs have ends as well. */
export async function signOutEverywhere(tokens: boolean): Promise<void> {
  await post("/sign-out-everywhere", { tokens });
  keepPageKey(null);
  signedOut.value = true;
}

/** For a link that signs another browser in. */
export function newSignInCode(): Promise<SignInCode> {
  return post("/sign-in/codes");
}

export function me(signal?: AbortSignal): Promise<Me> {
  return get("/me", { signal });
}

export function changeProfile(change: ProfileChange): Promise<Me> {
  return patch("/me", change);
}

export function models(signal?: AbortSignal): Promise<ModelList> {
  return get("/models", { signal });
}

export function repositories(signal?: AbortSignal): Promise<RepositoryList> {
  return get("/repositories", { signal });
}

export function renewToken(name: string): Promise<UserToken> {
  return post(`/users/${encodeURIComponent(name)}/token`);
}
