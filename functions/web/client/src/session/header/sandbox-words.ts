/** The sandbox in the header's few words: its status, or the phase that its boot is in. */

import { phaseLabel, type Status, sandboxStatus } from "../../design/status";
import type { SessionView } from "../../protocol";

const BOOTING = new Set(["warming", "spawning", "connecting"]);

export function sandboxWords({ sandbox, repositories }: SessionView): Status {
  const status = sandboxStatus(sandbox.status);
  if (sandbox.phase === null || !BOOTING.has(sandbox.status)) {
    return status;
  }
  // With one repository it goes without saying which.
  const repository = repositories.length > 1 ? sandbox.repository : null;
  return { ...status, label: phaseLabel(sandbox.phase, repository) };
}
