/** One level of sandbox settings as the server has it, and what it inherits. */
import { useCallback, useEffect, useState } from "preact/hooks";
import * as api from "../api";
import type { SandboxSettingsView, SettingsLevel } from "../protocol";

interface Loaded {
  level: SettingsLevel;
  /** What is chosen for everything; null: this is that level. */
  inherited: SandboxSettingsView | null;
}

export function useLevel(repository: string | null) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [chosenFor, setChosenFor] = useState<readonly string[]>([]);

  const reload = useCallback(async () => {
    setLoaded(null);
    setError(null);
    try {
      setLoaded(await load(repository));
    } catch (failure) {
      if (!(failure instanceof api.ApiError)) throw failure;
      setError(`The settings could not be loaded: ${failure.message}.`);
    }
  }, [repository]);

  useEffect(() => void reload(), [reload]);
  useEffect(() => {
    api.repositoriesWithSettings().then(
      ({ repositories }) => setChosenFor(repositories.flatMap((each) => each.repository ?? [])),
      () => setChosenFor([]),
    );
  }, []);

  const show = (level: SettingsLevel) => setLoaded((before) => before && { ...before, level });
  return {
    level: loaded?.level ?? null,
    inherited: loaded?.inherited ?? null,
    error,
    chosenFor,
    reload,
    show,
  };
}

async function load(repository: string | null): Promise<Loaded> {
  if (repository === null) return { level: await api.sandboxSettings(), inherited: null };
  const [level, everything] = await Promise.all([
    api.repositorySettings(repository),
    api.sandboxSettings(),
  ]);
  return { level, inherited: everything.settings };
}
