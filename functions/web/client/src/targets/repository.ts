/** A repository as it is chosen to work on: its address, and the branch the work starts from. */
import type { NewRepository, RememberedRepository, RepositoryView } from "../protocol";
import { repositoryName } from "../shell/session-names";

export interface Chosen {
  url: string;
  /** Blank: the repository's default. */
  branch: string;
  /** What people call it, when its address is not it. */
  label: string;
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

/** On the branch that it is remembered with. */
export function chosenOf(url: string, known: readonly RememberedRepository[]): Chosen {
  const found = known.find((each) => each.url === url);
  return { url, branch: found?.branch ?? "", label: found?.label ?? "" };
}

/** One without a label of its own is called by its address, and the server says so. */
export function chosenOfView({ url, branch, label }: RepositoryView): Chosen {
  return { url, branch: branch ?? "", label: label === url ? "" : label };
}

/** As the API wants it. A registered repository keeps its label. */
export function newRepository(
  chosen: Chosen,
  known: readonly RememberedRepository[],
): NewRepository {
  const { url, branch, label } = chosen;
  return { url, branch: branch || null, label: label || chosenOf(url, known).label };
}

export function nameOf({ url, label }: Pick<Chosen, "url" | "label">): string {
  return repositoryName({ url, name: directoryOf(url), label });
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Two addresses of one repository have the same. */
export function keyOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname.replace(/(\/|\.git)+$/, "")}${search}`;
}

/** Where it is cloned to, beside the others. */
export function directoryOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const last = path.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const name = last.replace(/\.git$/, "").replace(/[^\p{L}\p{N}._-]/gu, "-");
  return name.replace(/^[.-]+|[.-]+$/g, "");
}

export function readChosen(kept: unknown): Chosen | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { url, branch, label } = kept as Partial<Record<keyof Chosen, unknown>>;
  if (typeof url !== "string" || typeof branch !== "string") return null;
  return { url, branch, label: typeof label === "string" ? label : "" };
}
