/** What was chosen for a session's sandboxes, in words; what was not is the deployment's own. */

import type { SandboxSettingsView } from "../../protocol";

export function settingsInWords(settings: SandboxSettingsView): [string, string][] {
  const all: [string, string | null][] = [
    ["Lifetime", time(settings.lifetimeSeconds)],
    ["Final buffer", time(settings.finalBufferSeconds)],
    ["Inactivity", time(settings.inactivitySeconds)],
    ["Ports", settings.tunnelPorts === null ? null : settings.tunnelPorts.join(", ") || "none"],
    ["CPU cores", settings.cpuCores === null ? null : String(settings.cpuCores)],
    ["Memory", settings.memoryMib === null ? null : `${settings.memoryMib} MiB`],
  ];
  return all.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

function time(seconds: number | null): string | null {
  if (seconds === null) {
    return null;
  }
  const minutes = Math.floor(seconds / 60);
  const parts: [number, string][] = [
    [Math.floor(minutes / 60), "h"],
    [minutes % 60, "min"],
    [seconds % 60, "s"],
  ];
  return parts.flatMap(([amount, unit]) => (amount === 0 ? [] : [`${amount} ${unit}`])).join(" ");
}
