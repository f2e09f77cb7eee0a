/** How sandboxes come up: pieces of a boot's row, and how they add up. */

import type { TimelineEvent } from "../../protocol";
import type { BootPhase, BootRow } from "./rows";
import type { Said } from "./said";

export function bootRow(event: TimelineEvent, said: Said): BootRow | null {
  switch (event.type) {
    case "sandbox_spawning":
      return { ...blank(event.attempt, said), boot: event.boot ?? null };
    case "sandbox_status": {
      const { status, reason = null, error = null } = event;
      return { ...blank(event.attempt, said), status, reason, error };
    }
    case "boot_progress":
      return { ...blank(said.attempt, said), phases: [phase(event, said)] };
    case "ready":
      return { ...blank(said.attempt, said), readyAt: said.at, complete: event.complete !== false };
    case "boot_completed":
      return { ...blank(said.attempt, said), complete: true };
    case "fatal":
      return { ...blank(said.attempt, said), error: event.error };
    default:
      return null;
  }
}

export function mergedBoot(older: BootRow, newer: BootRow): BootRow {
  return {
    ...older,
    boot: older.boot ?? newer.boot,
    status: newer.status ?? older.status,
    reason: newer.status === null ? older.reason : newer.reason,
    error: newer.error ?? older.error,
    phases: newer.phases.reduce(withPhase, older.phases),
    readyAt: older.readyAt ?? newer.readyAt,
    complete: older.complete || newer.complete,
  };
}

function blank(attempt: number | null, said: Said): BootRow {
  const number = attempt ?? 0;
  return {
    kind: "boot",
    key: `boot/${number}`,
    at: said.at,
    attempt: number,
    boot: null,
    status: null,
    reason: null,
    error: null,
    phases: [],
    readyAt: null,
    complete: false,
  };
}

type Progress = Extract<TimelineEvent, { type: "boot_progress" }>;

function phase(event: Progress, said: Said): BootPhase {
  return {
    phase: event.phase,
    repository: event.repository ?? null,
    status: event.status,
    startedAt: event.status === "started" ? said.at : null,
    elapsedMs: event.elapsedMs ?? 0,
    warning: event.warning ?? null,
    error: event.error ?? null,
    outputTail: event.outputTail ?? null,
  };
}

function withPhase(phases: readonly BootPhase[], newer: BootPhase): readonly BootPhase[] {
  const index = phases.findIndex(
    (known) => known.phase === newer.phase && known.repository === newer.repository,
  );
  const older = phases[index];
  return older === undefined ? [...phases, newer] : phases.with(index, mergedPhase(older, newer));
}

function mergedPhase(older: BootPhase, newer: BootPhase): BootPhase {
  return { ...newer, startedAt: older.startedAt ?? newer.startedAt };
}
