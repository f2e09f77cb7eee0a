/** What is being written and chosen on the home page, kept until it is sent. */
import { effect, signal } from "@preact/signals";
import type { ModelChoice } from "../composer/model-picker";
import { createUploads } from "../composer/uploads";
import type { AttachmentView } from "../protocol";
import { keep, recall, stored } from "../shell/stored";
import { readTarget, type Target } from "./target";

const KEY = "draft";
const IMAGES_KEY = "draft-images";

/** Not the page's: they stay while another page is shown. */
export const draftImages = createUploads();
draftImages.restore(readImages(recall(IMAGES_KEY)));
effect(() => {
  const ready = draftImages.all.value.flatMap((each) => each.stored ?? []);
  keep(IMAGES_KEY, ready.length > 0 ? ready : null);
});

export const draft = signal(readText(recall(KEY)));

export const lastTarget = stored<Target | null>("target", null, readTarget);

export const lastModel = stored<ModelChoice | null>("model", null, readModel);

export function setDraft(text: string): void {
  draft.value = text;
  keep(KEY, text || null);
}

function readText(kept: unknown): string {
  return typeof kept === "string" ? kept : "";
}

function readImages(kept: unknown): AttachmentView[] {
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.id === "string") : [];
}

function readModel(kept: unknown): ModelChoice | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { model, effort } = kept as Partial<Record<keyof ModelChoice, unknown>>;
  if (typeof model !== "string") return null;
  return { model, effort: typeof effort === "string" ? effort : null };
}
