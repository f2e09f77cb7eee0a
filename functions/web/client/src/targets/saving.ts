/** Something is made of a form's content: once, however often it is asked for, or refused. */
import { useRef, useState } from "preact/hooks";
import * as api from "../api";

export interface Saving {
  busy: boolean;
  refused: api.ApiError | null;
  /** Null: it was refused. The same content has the same request id. */
  save: <Value>(
    content: unknown,
    act: (requestId: string) => Promise<Value>,
  ) => Promise<Value | null>;
}

export function useSaving(): Saving {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<api.ApiError | null>(null);
  const asked = useRef({ shape: "", id: "" });
  const save: Saving["save"] = async (content, act) => {
    const shape = JSON.stringify(content);
    if (asked.current.shape !== shape) asked.current = { shape, id: api.newRequestId() };
    setBusy(true);
    setRefused(null);
    try {
      return await act(asked.current.id);
    } catch (error) {
      if (!(error instanceof api.ApiError)) throw error;
      setRefused(error);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return { busy, refused, save };
}
