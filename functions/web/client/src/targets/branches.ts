/** The branches of one repository, as its host tells them. */
import { useState } from "preact/hooks";
import * as api from "../api";
import type { BranchView } from "../protocol";

interface Branches {
  /** Of this repository. */
  readonly url: string;
  readonly found: readonly BranchView[];
  readonly asOf: string | null;
  readonly busy: boolean;
  readonly problem: string | null;
}

/** Asked when `look` says so. A host that does not know leaves it to whoever types. */
export function useBranches(url: string) {
  const nothing: Branches = { url, found: [], asOf: null, busy: false, problem: null };
  const [state, setState] = useState(nothing);
  const shown = state.url === url ? state : nothing;
  const look = async () => {
    setState({ ...shown, busy: true, problem: null });
    try {
      const { branches, asOf } = await api.forgeBranches(url);
      setState({ url, found: branches, asOf, busy: false, problem: null });
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      setState({ ...shown, busy: false, problem: error.message });
    }
  };
  return { ...shown, look };
}
