/** Repositories in their order, as a value: the first is the primary. */
import { type Chosen, directoryOf, keyOf, nameOf, readChosen } from "./repository";

export type RepositorySet = readonly Chosen[];

/** What the server takes. */
export const MOST_REPOSITORIES = 10;

export function withAnother(set: RepositorySet, added: Chosen): RepositorySet {
  return problemWith(set, added.url) === null ? [...set, added] : set;
}

export function without(set: RepositorySet, at: number): RepositorySet {
  return set.filter((_, place) => place !== at);
}

/** One place up (-1) or down (1); at the end it stays. */
export function moved(set: RepositorySet, at: number, by: -1 | 1): RepositorySet {
  const [one, other] = [set[at], set[at + by]];
  if (!one || !other) return set;
  return set.map((each, place) => (place === at ? other : place === at + by ? one : each));
}

export function onBranch(set: RepositorySet, at: number, branch: string): RepositorySet {
  return set.map((each, place) => (place === at ? { ...each, branch } : each));
}

/** Why that one can't be added; null: it can. They are cloned side by side, by their names. */
export function problemWith(set: RepositorySet, url: string): string | null {
  if (set.length >= MOST_REPOSITORIES) return `There can be up to ${MOST_REPOSITORIES}.`;
  if (set.some((each) => keyOf(each.url) === keyOf(url))) return "It is there already.";
  const beside = set.find((each) => directoryOf(each.url) === directoryOf(url));
  if (!beside) return null;
  return `It would be in the same directory as ${nameOf(beside)}.`;
}

export function readSet(kept: unknown): RepositorySet | null {
  if (!Array.isArray(kept) || kept.length === 0 || kept.length > MOST_REPOSITORIES) return null;
  const read = kept.flatMap((each) => readChosen(each) ?? []);
  return read.length === kept.length ? read : null;
}
