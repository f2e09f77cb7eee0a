/** A terminal's output as plain text: what colours, moves the cursor or draws over itself is gone. */

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const SEQUENCES = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`,
    `${ESCAPE}[PX^_][^${ESCAPE}]*(?:${ESCAPE}\\\\)?`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join("|"),
  "g",
);
/** All of them but tab and newline. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

export function plain(output: string): string {
  return output
    .replace(SEQUENCES, "")
    .replace(/\r+\n/g, "\n")
    .split("\n")
    .map(lastDrawn)
    .join("\n")
    .replace(CONTROLS, "");
}

/** A progress bar draws its line again and again; what it drew last is what stands there. */
function lastDrawn(line: string): string {
  const kept = line.replace(/\r+$/, "");
  return kept.slice(kept.lastIndexOf("\r") + 1);
}
