/** The names of the secrets of one place, and which of them are there for everything as well. */
import { useCallback, useEffect, useState } from "preact/hooks";
import * as api from "../api";
import type { SecretView } from "../protocol";

interface Loaded {
  secrets: readonly SecretView[];
  everywhere: ReadonlySet<string>;
}

/** `place` stays the same as long as this is used. */
export function useSecrets(place: api.SecretPlace) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { scope, target } = place;
  const reload = useCallback(async () => {
    setError(null);
    try {
      setLoaded(await load({ scope, target: target ?? null }));
    } catch (failure) {
      if (!(failure instanceof api.ApiError)) throw failure;
      setError(failure.message);
    }
  }, [scope, target]);
  useEffect(() => void reload(), [reload]);
  const show = (secrets: readonly SecretView[]) =>
    setLoaded((before) => before && { ...before, secrets });
  return { loaded, error, reload, show };
}

async function load(place: api.SecretPlace): Promise<Loaded> {
  if (place.scope === "global") {
    return { secrets: (await api.secrets(place)).secrets, everywhere: new Set() };
  }
  const [own, all] = await Promise.all([api.secrets(place), api.secrets({ scope: "global" })]);
  return { secrets: own.secrets, everywhere: new Set(all.secrets.map((each) => each.name)) };
}
