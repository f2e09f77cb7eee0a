/** The models that there are, asked for once for as long as the page is open. */

import { useEffect, useState } from "preact/hooks";
import * as api from "../../api";
import type { ModelList } from "../../protocol";

let asked: Promise<ModelList> | null = null;

/** Null: not known (yet); a prompt goes to the session's own model then. */
export function useModels(): ModelList | null {
  const [models, setModels] = useState<ModelList | null>(null);
  useEffect(() => {
    let current = true;
    asked ??= api.models();
    asked.then(
      (found) => current && setModels(found),
      () => {
        asked = null;
      },
    );
    return () => {
      current = false;
    };
  }, []);
  return models;
}
