/** Environments: named sets of repositories, for everybody of the workspace. */

import type {
  EnvironmentChange,
  EnvironmentDeleted,
  EnvironmentList,
  EnvironmentView,
  NewEnvironment,
  NewEnvironmentOfSession,
} from "../protocol";
import { get, post, put, remove } from "./request";

export function environments(signal?: AbortSignal): Promise<EnvironmentList> {
  return get("/environments", { signal });
}

export function environment(id: string, signal?: AbortSignal): Promise<EnvironmentView> {
  return get(at(id), { signal });
}

export function createEnvironment(asked: NewEnvironment): Promise<EnvironmentView> {
  return post("/environments", asked);
}

export function changeEnvironment(id: string, asked: EnvironmentChange): Promise<EnvironmentView> {
  return put(at(id), asked);
}

export function deleteEnvironment(id: string): Promise<EnvironmentDeleted> {
  return remove(at(id));
}

/** Of the repositories that the session has. */
export function saveAsEnvironment(
  session: string,
  asked: NewEnvironmentOfSession,
): Promise<EnvironmentView> {
  return post(`/sessions/${encodeURIComponent(session)}/environment`, asked);
}

function at(id: string): string {
  return `/environments/${encodeURIComponent(id)}`;
}
