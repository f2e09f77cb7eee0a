/** One change of settings at a time. */
import { useState } from "preact/hooks";
import { toast } from "../design/toast";
import { attempt } from "../shell/attempt";

export function useSaving() {
  const [busy, setBusy] = useState(false);
  const save = async (said: string, act: () => Promise<void>) => {
    setBusy(true);
    if (await attempt("save", act)) toast(said);
    setBusy(false);
  };
  return { busy, save };
}
