/** What is chosen about sandboxes, for everything and for each repository. */

import type { NewSandboxSettings, SettingsLevel, SettingsLevelList } from "../protocol";
import { get, put } from "./request";

const SANDBOX = "/settings/sandbox";

export function sandboxSettings(signal?: AbortSignal): Promise<SettingsLevel> {
  return get(SANDBOX, { signal });
}

export function chooseSandboxSettings(asked: NewSandboxSettings): Promise<SettingsLevel> {
  return put(SANDBOX, asked);
}

export function repositoriesWithSettings(signal?: AbortSignal): Promise<SettingsLevelList> {
  return get(`${SANDBOX}/repositories`, { signal });
}

export function repositorySettings(url: string, signal?: AbortSignal): Promise<SettingsLevel> {
  return get(`${SANDBOX}/repository`, { query: { url }, signal });
}

export function chooseRepositorySettings(
  url: string,
  asked: NewSandboxSettings,
): Promise<SettingsLevel> {
  return put(`${SANDBOX}/repository`, asked, { query: { url } });
}
