/** A sandbox on its way up, in the words of the header. */

import { phaseLabel, sandboxStatus } from "../../../design/status";
import { between } from "../../format";
import type { BootPhase, BootRow } from "../../state";

/** How a boot comes out; until then it is on its way. */
const SETTLED = new Set(["ready", "snapshotting", "stopped", "stale", "failed"]);

export function isUnderWay(row: BootRow): boolean {
  return row.readyAt === null && !SETTLED.has(row.status ?? "");
}

export function isBroken(row: BootRow): boolean {
  return row.readyAt === null && (row.status === "failed" || row.status === "stale");
}

const FROM: Readonly<Record<string, string>> = {
  resume: "resumed with its files",
  restore: "restored from the last snapshot",
  image: "from a prebuilt image",
};

export function headline(row: BootRow): string {
  if (row.readyAt !== null) {
    return "Sandbox ready";
  }
  if (isUnderWay(row)) {
    const phase = current(row);
    return phase === null
      ? sandboxStatus(row.status ?? "pending").label
      : phaseLabel(phase.phase, phase.repository);
  }
  const broken = row.phases.find((phase) => phase.status === "failed");
  return broken === undefined
    ? `Sandbox ${sandboxStatus(row.status ?? "stopped").label.toLowerCase()}`
    : `${phaseLabel(broken.phase, broken.repository)} failed`;
}

/** Null for a fresh start, which goes without saying. */
export function origin(row: BootRow): string | null {
  return FROM[row.boot ?? ""] ?? null;
}

function current(row: BootRow): BootPhase | null {
  return row.phases.findLast((phase) => phase.status === "started") ?? null;
}

export function warnings(row: BootRow): number {
  return row.phases.filter((phase) => phase.warning !== null).length;
}

/** How long it has taken, as far as its beginning is known. */
export function bootTime(row: BootRow, now: number): number | null {
  if (row.boot === null) {
    return null; // it began before what is loaded
  }
  if (row.readyAt !== null) {
    return between(row.at, row.readyAt);
  }
  return isUnderWay(row) ? now - Date.parse(row.at) : null;
}

export function phaseTime(phase: BootPhase, now: number, underWay: boolean): number | null {
  if (phase.status !== "started") {
    return phase.elapsedMs;
  }
  return underWay && phase.startedAt !== null ? now - Date.parse(phase.startedAt) : null;
}

/** The error of the whole, unless a phase has said the same. */
export function remainingError(row: BootRow): string | null {
  if (row.error === null || row.error === "") {
    return null;
  }
  const { error } = row;
  const said = row.phases.some((phase) => phase.error !== null && error.includes(phase.error));
  return said ? null : row.error;
}
