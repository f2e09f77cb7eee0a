/** The phases of one boot, as the API remembers them: for the header's popover and the details. */

import { Check, CircleAlert, TriangleAlert } from "lucide-preact";
import { Icon } from "../../design/icon";
import { Spinner } from "../../design/spinner";
import { phaseLabel } from "../../design/status";
import type { BootPhaseView, BootView, SandboxView } from "../../protocol";
import { duration } from "../format";
import "../timeline/boot/boot.css";

interface BootPhasesProps {
  readonly boot: BootView;
  /** How the session's sandbox is now; the boot may be an older one's. */
  readonly current?: SandboxView;
}

export function BootPhases({ boot, current }: BootPhasesProps) {
  const running = current?.attempt === boot.attempt && boot.readyAt === null ? current.phase : null;
  const told = boot.phases.some(
    (phase) => phase.phase === running && phase.repository === current?.repository,
  );
  return (
    <ol class="phases">
      {boot.phases.map((phase) => (
        <Phase key={`${phase.phase}/${phase.repository}`} phase={phase} />
      ))}
      {running !== null && !told && boot.endedAt === null && (
        <li class="phase phase-running">
          <span class="phase-mark">
            <Spinner size={12} />
          </span>
          <span class="phase-name">{phaseLabel(running, current?.repository)}</span>
        </li>
      )}
    </ol>
  );
}

function Phase({ phase }: { readonly phase: BootPhaseView }) {
  const failed = phase.status === "failed";
  const warned = !failed && phase.warning !== null;
  const icon = failed ? CircleAlert : warned ? TriangleAlert : Check;
  const said = phase.error ?? phase.warning;
  return (
    <li class={`phase phase-${failed ? "failed" : warned ? "warned" : "completed"}`}>
      <span class="phase-mark">
        <Icon of={icon} size={14} />
      </span>
      <span class="phase-name">
        {phaseLabel(phase.phase, phase.repository)}
        {failed && <span class="visually-hidden"> failed</span>}
      </span>
      <span class="phase-time">{duration(phase.elapsedMs)}</span>
      {said !== null && <p class="phase-said">{said}</p>}
    </li>
  );
}
