/** The words and colours of statuses and boot phases, said once. */

import { lookup } from "./lookup";

export type Tone = "neutral" | "accent" | "ok" | "warn" | "bad";

export interface Status {
  label: string;
  tone: Tone;
  /** It is on its way to another status by itself. */
  live: boolean;
  hollow: boolean;
  /** What it means, for a tooltip or a popover. */
  meaning: string;
}

const SESSION: Record<string, Status> = {
  created: resting("Draft", "neutral", "Nothing was asked of it yet.", true),
  active: moving("Active", "accent", "A prompt is waiting or running."),
  completed: resting("Completed", "ok", "The last run finished and nothing is queued."),
  failed: resting("Failed", "bad", "The last run ended in an error and nothing is queued."),
  archived: resting("Archived", "neutral", "Hidden from the inbox. Restore it to go on."),
  cancelled: resting(
    "Cancelled",
    "neutral",
    "Over for good. Unfinished prompts were closed.",
    true,
  ),
};

const STOPPED = resting("Stopped", "neutral", "The last run was stopped and nothing is queued.");

const SANDBOX: Record<string, Status> = {
  pending: moving("Pending", "neutral", "Waiting for the sandbox to start."),
  warming: moving("Warming...", "warn", "Preparing sandbox capacity."),
  spawning: moving("Starting...", "warn", "Creating or restoring the sandbox."),
  connecting: moving(
    "Connecting...",
    "warn",
    "The runtime has connected and the boot is under way.",
  ),
  ready: resting("Ready", "ok", "The sandbox is available and prompts dispatch."),
  snapshotting: moving("Saving...", "accent", "A sandbox snapshot is being saved."),
  stopped: resting(
    "Stopped",
    "neutral",
    "The sandbox stopped after inactivity and restarts with the next prompt.",
    true,
  ),
  stale: resting("Unresponsive", "bad", "The sandbox runtime stopped responding."),
  failed: resting("Failed", "bad", "The sandbox could not start or recover."),
};

const PHASES: Record<string, string> = {
  starting: "Starting runtime",
  sync: "Cloning repository",
  setup: "Running setup.sh",
  start: "Starting services",
  skills: "Installing skills",
  harness: "Starting agent",
};

/** `outcome` is how the newest prompt that had its turn ended. */
export function sessionStatus(status: string, outcome?: string | null): Status {
  if (status === "completed" && outcome === "stopped") return STOPPED;
  return lookup(SESSION, status) ?? unknown(status);
}

export function sandboxStatus(status: string): Status {
  return lookup(SANDBOX, status) ?? unknown(status);
}

/** "Running setup.sh for acme/api"; a phase that this page does not know yet is shown as it is. */
export function phaseLabel(phase: string, repository?: string | null): string {
  const label = lookup(PHASES, phase) ?? phase;
  return repository ? `${label} for ${repository}` : label;
}

function resting(label: string, tone: Tone, meaning: string, hollow = false): Status {
  return { label, tone, meaning, hollow, live: false };
}

function moving(label: string, tone: Tone, meaning: string): Status {
  return { label, tone, meaning, hollow: false, live: true };
}

/** A status that is newer than this page. */
function unknown(status: string): Status {
  return resting(status, "neutral", "");
}
