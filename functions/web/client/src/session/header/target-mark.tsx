/** What the session works on, beside its title where there is room. */
import type { SessionView } from "../../protocol";
import { targetOf } from "../../shell/session-names";
import "./target-mark.css";

export function TargetMark({ session }: { readonly session: SessionView }) {
  return <span class="target-mark">{targetOf(session)}</span>;
}
