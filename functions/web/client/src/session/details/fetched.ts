/** What the details panel asks the API for while it is open. */

import { useEffect, useState } from "preact/hooks";

/** Null: not there (yet). Asked again with each other `news`; what was there stays meanwhile. */
export function useFetched<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  key: string,
  news: string,
): T | null {
  const [found, setFound] = useState<{ key: string; value: T } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` and `news` say when it is another question.
  useEffect(() => {
    const end = new AbortController();
    fetch(end.signal).then(
      (value) => setFound({ key, value }),
      () => undefined, // the connection's mark tells of it; the next news asks again
    );
    return () => end.abort();
  }, [key, news]);
  return found?.key === key ? found.value : null;
}
