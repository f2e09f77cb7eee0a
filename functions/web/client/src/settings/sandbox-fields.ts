/** Sandbox settings as text in fields, and back. Blank inherits. */
import type { SandboxSettingsView } from "../protocol";

export type Name = "lifetime" | "finalBuffer" | "inactivity" | "ports" | "cpu" | "memory";
export type Texts = Record<Name, string>;
export type Problems = Partial<Record<Name, string>>;

interface Shape {
  name: Name;
  label: string;
  hint: string;
  unit: string | undefined;
  /** What a blank means at the top, where nothing is above but the deployment. */
  otherwise: string;
}

export const FIELDS: Shape[] = [
  shape("lifetime", "Session Timeout", "How long a sandbox may live.", "minutes"),
  shape(
    "finalBuffer",
    "Final snapshot buffer",
    "Before its end: time to stop the work and save it.",
    "minutes",
    "10",
  ),
  shape("inactivity", "Inactivity", "How long an idle sandbox stays up.", "minutes"),
  shape("cpu", "CPU", "", "cores"),
  shape("memory", "Memory", "", "MiB"),
  shape(
    "ports",
    "Tunnel ports",
    "Up to 10, separated by commas, or “none”. They are reached from outside while a sandbox runs.",
    undefined,
    "None",
  ),
];

const MINUTE = 60;
const RESERVED_PORTS = [5900, 7681, 49983];

export function textsOf(settings: SandboxSettingsView): Texts {
  return {
    lifetime: minutes(settings.lifetimeSeconds),
    finalBuffer: minutes(settings.finalBufferSeconds),
    inactivity: minutes(settings.inactivitySeconds),
    ports: portsText(settings.tunnelPorts),
    cpu: settings.cpuCores?.toString() ?? "",
    memory: settings.memoryMib?.toString() ?? "",
  };
}

/** Only of texts without problems. */
export function settingsOf(texts: Texts): SandboxSettingsView {
  return {
    lifetimeSeconds: seconds(texts.lifetime),
    finalBufferSeconds: seconds(texts.finalBuffer),
    inactivitySeconds: seconds(texts.inactivity),
    tunnelPorts: ports(texts.ports),
    cpuCores: number(texts.cpu),
    memoryMib: number(texts.memory),
  };
}

/** In words; the server has the last one. */
export function problemsOf(texts: Texts): Problems {
  const found: [Name, string | null][] = [
    ["lifetime", outside(texts.lifetime, 1, 24 * MINUTE)],
    ["finalBuffer", outside(texts.finalBuffer, 5, 24 * MINUTE) ?? tooLong(texts)],
    ["inactivity", outside(texts.inactivity, 1, 12 * MINUTE)],
    ["ports", portsProblem(texts.ports)],
    ["cpu", outside(texts.cpu, 1, 32)],
    ["memory", outside(texts.memory, 512, 256 * 1024)],
  ];
  return Object.fromEntries(found.filter(([, words]) => words !== null));
}

function shape(
  name: Name,
  label: string,
  hint: string,
  unit?: string,
  otherwise = "Default",
): Shape {
  return { name, label, hint, unit, otherwise };
}

function outside(text: string, least: number, most: number): string | null {
  const value = number(text);
  if (value === null) return null;
  if (Number.isInteger(value) && value >= least && value <= most) return null;
  return `A whole number from ${least} to ${most}.`;
}

function tooLong({ finalBuffer, lifetime }: Texts): string | null {
  const [buffer, whole] = [number(finalBuffer), number(lifetime)];
  if (buffer === null || whole === null || buffer < whole) return null;
  return "It has to be less than the session timeout.";
}

function portsProblem(text: string): string | null {
  const list = ports(text) ?? [];
  const wrong = list.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
  if (wrong) return "Ports are numbers from 1 to 65535, separated by commas.";
  const reserved = list.find((port) => RESERVED_PORTS.includes(port));
  if (reserved) return `${reserved} is reserved.`;
  return list.length > 10 ? "Up to 10 ports can be reached from outside." : null;
}

function portsText(list: number[] | null): string {
  if (list === null) return "";
  return list.length === 0 ? "none" : list.join(", ");
}

function ports(text: string): number[] | null {
  if (text.trim() === "") return null;
  if (text.trim().toLowerCase() === "none") return [];
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
}

/** What was chosen by command line may be seconds. */
function minutes(value: number | null): string {
  return value === null ? "" : String(Number((value / MINUTE).toFixed(2)));
}

function seconds(text: string): number | null {
  const value = number(text);
  return value === null ? null : value * MINUTE;
}

function number(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
