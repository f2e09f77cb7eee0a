/** The environments of the workspace, as every page shows them. */
import { signal } from "@preact/signals";
import * as api from "../api";
import type { EnvironmentView } from "../protocol";

/** By name; null: not known (yet). */
export const environments = signal<EnvironmentView[] | null>(null);
/** Why the newest look at them failed; null: it did not. */
export const environmentsProblem = signal<string | null>(null);

let newest = 0;

/** What was known stays while nobody answers. */
export async function loadEnvironments(): Promise<void> {
  newest += 1;
  const mine = newest;
  try {
    const list = await api.environments();
    if (mine === newest) show(list.environments);
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    if (mine === newest) environmentsProblem.value = error.message;
  }
}

/** It was made or changed here. What is being loaded does not know of it. */
export function keepEnvironment(environment: EnvironmentView): void {
  const others = environments.value?.filter((each) => each.id !== environment.id);
  if (others) show([...others, environment].sort(byName));
  void loadEnvironments();
}

export function dropEnvironment(id: string): void {
  const others = environments.value?.filter((each) => each.id !== id);
  if (others) show(others);
  void loadEnvironments();
}

function show(list: EnvironmentView[]): void {
  environments.value = list;
  environmentsProblem.value = null;
}

function byName(one: EnvironmentView, other: EnvironmentView): number {
  return one.name.localeCompare(other.name);
}
