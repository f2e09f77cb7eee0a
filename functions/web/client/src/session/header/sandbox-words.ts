/** The sandbox in the header's few words: its status, or the phase that its boot is in. */

import { type Status, sandboxStatus } from "../../design/status";
import type { SessionView } from "../../protocol";
import { phaseOf } from "../../shell/session-names";

const BOOTING = new Set(["warming", "spawning", "connecting"]);

export function sandboxWords(session: SessionView): Status {
  const status = sandboxStatus(session.sandbox.status);
  const phase = phaseOf(session);
  return phase && BOOTING.has(session.sandbox.status) ? { ...status, label: phase } : status;
}
