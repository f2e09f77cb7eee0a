/** What sandboxes get as environment variables. Values go in, and none comes back. */

import type { NewSecrets, SecretList, SecretReading } from "../protocol";
import { get, post, put, remove } from "./request";

/** Whose secrets: `target` is a repository's URL or an environment's id. */
export type SecretPlace = Pick<NewSecrets, "scope" | "target">;

export function secrets(place: SecretPlace, signal?: AbortSignal): Promise<SecretList> {
  return get("/secrets", { query: { ...place }, signal });
}

export function setSecrets(asked: NewSecrets): Promise<SecretList> {
  return put("/secrets", asked);
}

/** What a `.env` file would set there. Nothing is kept. */
export function readSecrets(place: SecretPlace, text: string): Promise<SecretReading> {
  return post("/secrets/reading", { ...place, text });
}

export function removeSecret(place: SecretPlace, name: string): Promise<SecretList> {
  return remove(`/secrets/${encodeURIComponent(name)}`, { query: { ...place } });
}
