/** What is chosen about sandboxes, for everything and for each repository. */

import type {
  NewSandboxSettings,
  SettingsInEffect,
  SettingsLevel,
  SettingsLevelList,
} from "../protocol";
import { get, put, remove } from "./request";

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

export function forgetRepositorySettings(url: string, version: string): Promise<SettingsLevel> {
  return remove(`${SANDBOX}/repository`, { query: { url, version } });
}

export function settingsInEffect(url: string, signal?: AbortSignal): Promise<SettingsInEffect> {
  return get(`${SANDBOX}/resolved`, { query: { url }, signal });
}
