/** What a session works on, as it is chosen, and remembered, in the browser. */
import type { EnvironmentView, NewSession, RememberedRepository } from "../protocol";
import { chosenOf, nameOf, newRepository, readChosen } from "../targets/repository";
import { type RepositorySet, readSet } from "../targets/repository-set";

export type Target =
  | { readonly kind: "repositories"; readonly set: RepositorySet }
  | { readonly kind: "environment"; readonly id: string; readonly name: string }
  | { readonly kind: "none" };

export const NOTHING: Target = { kind: "none" };

/** One part of what opens a session. An environment's version says that it was edited meanwhile. */
export interface Work {
  readonly asked: Pick<NewSession, "repositories" | "environment">;
  readonly version: string | null;
}

export interface Initial {
  target: Target | null;
  /** The environment that was chosen last, and is no more: its name. */
  gone: string | null;
}

export function onRepositories(set: RepositorySet): Target {
  return { kind: "repositories", set };
}

export function onEnvironment({ id, name }: Pick<EnvironmentView, "id" | "name">): Target {
  return { kind: "environment", id, name };
}

/**
 * The one chosen last, as long as it is a possible one; else the repository used last.
 * Without a list of environments, whether one is there is for the server to say.
 */
export function initialTarget(
  remembered: Target | null,
  known: readonly RememberedRepository[],
  environments: readonly EnvironmentView[] | null,
): Initial {
  if (remembered?.kind !== "environment") {
    return { target: remembered ?? usedLast(known), gone: null };
  }
  const { id, name } = remembered;
  const found = environments?.find((each) => each.id === id);
  if (found) return { target: onEnvironment(found), gone: null };
  if (environments === null) return { target: remembered, gone: null };
  return { target: usedLast(known), gone: name };
}

function usedLast(known: readonly RememberedRepository[]): Target | null {
  const [newest] = known;
  return newest ? onRepositories([chosenOf(newest.url, known)]) : null;
}

/** As the API wants it. */
export function workOn(
  target: Target,
  known: readonly RememberedRepository[],
  environments: readonly EnvironmentView[] | null,
): Work {
  switch (target.kind) {
    case "none":
      return { asked: { repositories: [] }, version: null };
    case "environment": {
      const found = environments?.find((each) => each.id === target.id);
      return { asked: { environment: target.id }, version: found?.version ?? null };
    }
    case "repositories": {
      const repositories = target.set.map((each) => newRepository(each, known));
      return { asked: { repositories }, version: null };
    }
  }
}

export function inWords(target: Target): string {
  if (target.kind === "none") return "No repository";
  if (target.kind === "environment") return target.name;
  return target.set.map(nameOf).join(", ");
}

export function readTarget(kept: unknown): Target | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { kind, set, id, name } = kept as Record<string, unknown>;
  if (kind === "none") return NOTHING;
  if (kind === "environment") {
    return typeof id === "string" && typeof name === "string" ? { kind, id, name } : null;
  }
  // Before there were several, it was the one repository itself.
  const read = kind === "repositories" ? readSet(set) : oneOf(readChosen(kept));
  return read && onRepositories(read);
}

function oneOf<Value>(value: Value | null): Value[] | null {
  return value === null ? null : [value];
}
