/** The boot of a sandbox: its phases with their times, and why one failed. */

import { Check, CircleAlert, Server, TriangleAlert } from "lucide-preact";
import { Icon } from "../../../design/icon";
import { Spinner } from "../../../design/spinner";
import { phaseLabel } from "../../../design/status";
import { useNow } from "../../clock";
import { clock, duration, plural } from "../../format";
import type { BootPhase, BootRow } from "../../state";
import { Disclosure } from "../disclosure";
import { Output } from "../output";
import {
  bootTime,
  headline,
  isBroken,
  isUnderWay,
  origin,
  phaseTime,
  remainingError,
  warnings,
} from "./boot-words";
import "./boot.css";

interface BootProps {
  readonly row: BootRow;
  readonly open: boolean;
  onToggle(): void;
}

export function Boot({ row, open, onToggle }: BootProps) {
  const underWay = isUnderWay(row);
  const now = useNow(underWay);
  const ms = bootTime(row, now);
  const time = ms === null ? null : underWay ? clock(ms) : duration(ms);
  const warned = warnings(row);
  const from = origin(row);
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      class={`boot boot-${tone(row)}`}
      icon={<BootIcon row={row} underWay={underWay} />}
      line={
        <>
          <span class="boot-headline">{headline(row)}</span>{" "}
          {from !== null && <span class="boot-from">{from}</span>}{" "}
          {warned > 0 && <span class="boot-warned">{plural(warned, "warning")}</span>}{" "}
          {time !== null && <span class="boot-time">{time}</span>}
        </>
      }
    >
      <Phases row={row} now={now} underWay={underWay} />
    </Disclosure>
  );
}

function BootIcon({ row, underWay }: { readonly row: BootRow; readonly underWay: boolean }) {
  if (underWay) {
    return <Spinner size={12} />;
  }
  return <Icon of={tone(row) === "bad" ? CircleAlert : Server} size={14} class="boot-icon" />;
}

function tone(row: BootRow): "bad" | "neutral" {
  return isBroken(row) ? "bad" : "neutral";
}

interface PhasesProps {
  readonly row: BootRow;
  readonly now: number;
  readonly underWay: boolean;
}

function Phases({ row, now, underWay }: PhasesProps) {
  const error = remainingError(row);
  return (
    <>
      <ol class="phases">
        {row.phases.map((phase) => (
          <li
            key={`${phase.phase}/${phase.repository}`}
            class={`phase phase-${stand(phase, underWay)}`}
          >
            <PhaseLine phase={phase} now={now} underWay={underWay} />
          </li>
        ))}
      </ol>
      {row.phases.length === 0 && <p class="boot-note">No phase was reported yet.</p>}
      {error !== null && <p class="boot-error">{error}</p>}
    </>
  );
}

type Stand = "completed" | "failed" | "running" | "cut" | "warned";

function stand(phase: BootPhase, underWay: boolean): Stand {
  if (phase.status === "started") {
    return underWay ? "running" : "cut";
  }
  return phase.status === "completed" && phase.warning !== null ? "warned" : phase.status;
}

function PhaseLine({ phase, now, underWay }: { phase: BootPhase; now: number; underWay: boolean }) {
  const how = stand(phase, underWay);
  const ms = phaseTime(phase, now, underWay);
  const said = phase.error ?? phase.warning;
  return (
    <>
      <span class="phase-mark">
        <PhaseMark stand={how} />
      </span>
      <span class="phase-name">
        {phaseLabel(phase.phase, phase.repository)}
        {how === "failed" && <span class="visually-hidden"> failed</span>}
      </span>
      <span class="phase-time">
        {ms === null ? "" : how === "running" ? clock(ms) : duration(ms)}
      </span>
      {said !== null && <p class="phase-said">{said}</p>}
      {phase.outputTail !== null && phase.outputTail.trim() !== "" && (
        <div class="phase-tail">
          <Output text={phase.outputTail} label="End of the script's output" />
        </div>
      )}
    </>
  );
}

function PhaseMark({ stand }: { readonly stand: Stand }) {
  switch (stand) {
    case "running":
      return <Spinner size={12} />;
    case "failed":
      return <Icon of={CircleAlert} size={14} />;
    case "warned":
      return <Icon of={TriangleAlert} size={14} />;
    case "completed":
      return <Icon of={Check} size={14} />;
    case "cut":
      return <span class="phase-cut" />;
  }
}
