/** What every page needs to know: who we are, and what may be chosen. */
import { signal } from "@preact/signals";
import * as api from "../api";
import type { Me, ModelList, RememberedRepository } from "../protocol";

/** `signed-out`: nobody was signed in when the page was opened. Later, `api.signedOut` says it. */
export type Start = "loading" | "ready" | "signed-out" | "failed";

export const start = signal<Start>("loading");
export const me = signal<Me | null>(null);
export const models = signal<ModelList | null>(null);
/** null: not loaded yet. */
export const repositories = signal<RememberedRepository[] | null>(null);

export async function load(): Promise<void> {
  try {
    me.value = await api.me();
    api.signedOut.value = false;
    start.value = "ready";
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    start.value = error.code === "unauthenticated" ? "signed-out" : "failed";
    return;
  }
  void loadModels();
  void loadRepositories();
}

async function loadModels(): Promise<void> {
  models.value = (await answered(api.models)) ?? models.value;
}

export async function loadRepositories(): Promise<void> {
  const list = await answered(api.repositories);
  repositories.value = list?.repositories ?? repositories.value;
}

const AGAIN_MS = 2_000;

/** Nothing can be sent before it is known, so a server that is starting is asked again. */
async function answered<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      if (!error.transient) return null;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
