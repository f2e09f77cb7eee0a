/** What a session works on, as it is chosen, and remembered, in the browser. */
import type { NewRepository, RememberedRepository } from "../protocol";

export interface Target {
  url: string;
  /** Blank: the repository's default. */
  branch: string;
}

/** An https address, or an http one of this machine; the server says the rest. */
export function isRepositoryUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, hostname } = new URL(text);
  const secure = protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1");
  return secure && pathname.length > 1;
}

/** Why a branch can't be called so; null: it can. Blank is the default branch. */
export function branchProblem(branch: string): string | null {
  if (branch === "" || /^[A-Za-z0-9][A-Za-z0-9._/+@=-]{0,199}$/.test(branch)) return null;
  return "A branch begins with a letter or digit and has no spaces.";
}

/** As the API wants it. A registered repository keeps its label. */
export function newRepository(
  target: Target,
  known: readonly RememberedRepository[],
): NewRepository {
  const found = known.find((each) => each.url === target.url);
  return { url: target.url, branch: target.branch || null, label: found?.label ?? "" };
}

/** The one chosen last, as long as it is a possible one; else the one used last. */
export function initialTarget(
  remembered: Target | null,
  known: readonly RememberedRepository[],
): Target | null {
  if (remembered) return remembered;
  const [newest] = known;
  return newest ? { url: newest.url, branch: newest.branch ?? "" } : null;
}

export function readTarget(kept: unknown): Target | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { url, branch } = kept as Partial<Record<keyof Target, unknown>>;
  return typeof url === "string" && typeof branch === "string" ? { url, branch } : null;
}
