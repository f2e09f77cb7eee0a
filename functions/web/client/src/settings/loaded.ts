/** Something that a section asks the server for, anew for each key. */
import { useCallback, useEffect, useState } from "preact/hooks";
import * as api from "../api";

/** `value` null: not there (yet). `error`: why not, in words. */
export function useLoaded<Value>(load: (key: string) => Promise<Value>, key: string) {
  const [found, setFound] = useState<{ key: string; value: Value } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is the same question again.
  useEffect(() => {
    let gone = false;
    setError(null);
    load(key).then(
      (value) => gone || setFound({ key, value }),
      (failure) => {
        if (!(failure instanceof api.ApiError)) throw failure;
        if (!gone) setError(failure.message);
      },
    );
    return () => {
      gone = true;
    };
  }, [load, key, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const show = (value: Value) => setFound({ key, value });
  return { value: found?.key === key ? found.value : null, error, again, show };
}
