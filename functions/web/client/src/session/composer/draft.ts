/** What is being written for a session, kept in this browser until it is sent. */

import { useEffect, useState } from "preact/hooks";
import { keep, recall } from "../../shell/stored";

const WAIT_MS = 300;

function nameOf(session: string): string {
  return `draft.${session}`;
}

export function useDraft(session: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(session));
  useEffect(() => {
    const save = () => keep(nameOf(session), text === "" ? null : text);
    const timer = setTimeout(save, WAIT_MS);
    return () => {
      clearTimeout(timer);
      save();
    };
  }, [session, text]);
  return [text, setText];
}

function read(session: string): string {
  const kept = recall(nameOf(session));
  return typeof kept === "string" ? kept : "";
}
