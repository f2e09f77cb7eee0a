/** What a tool was called with, read without trusting it: agents and harnesses name things differently. */

export type ToolInput = Readonly<Record<string, unknown>>;

export function text(input: ToolInput, ...names: readonly string[]): string {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string" && value !== "") {
      return value;
    }
  }
  return "";
}

export function path(input: ToolInput): string {
  return shortPath(text(input, "filePath", "file_path", "path", "notebook_path"));
}

/** As people in the repository would write it: without the place where the sandbox keeps it. */
export function shortPath(path: string): string {
  return path.replace(/^.*?\/workspace\/[^/]+\/?/, "") || (path === "" ? "" : ".");
}

/** The first line of what is told, and whether there was more. */
export function firstLine(words: string): string {
  const lines = words.trim().split("\n");
  const first = lines[0]?.trim() ?? "";
  return lines.length > 1 ? `${first} …` : first;
}

/** A command without the step into the repository that agents put before each. */
export function shortCommand(command: string): string {
  const rest = command.trim().replace(/^cd\s+(?:'[^']*'|"[^"]*"|[^\s;&|]+)\s*(?:&&|;)\s*/, "");
  return firstLine(rest === "" ? command : rest);
}
