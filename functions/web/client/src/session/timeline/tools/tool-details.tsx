/** What an opened tool call shows: the command or what else it was called with, its diff, its output. */

import type { ToolRow } from "../../state";
import { CodeBlock } from "../code/code-block";
import { languageOf } from "../code/highlight";
import { Diff } from "../diff/diff";
import { Output } from "../output";
import type { ToolChanges } from "./changes";
import { text } from "./input";
import type { ToolWords } from "./wording";

interface DetailsProps {
  readonly row: ToolRow;
  readonly words: ToolWords;
  readonly changes: ToolChanges;
  readonly running: boolean;
}

export function ToolDetails({ row, words, changes, running }: DetailsProps) {
  return (
    <>
      <Called row={row} words={words} changes={changes} />
      {changes.files.map((file) => (
        <Diff key={file.path} file={file} named={changes.files.length > 1} />
      ))}
      {row.error !== null && row.error !== "" && (
        <Output text={row.error} label="Error" tone="bad" />
      )}
      <Result row={row} words={words} changes={changes} running={running} />
    </>
  );
}

function Called({ row, words, changes }: Omit<DetailsProps, "running">) {
  if (words.kind === "command") {
    const command = text(row.input, "command", "cmd");
    return command === "" ? null : <CodeBlock code={command} language="bash" />;
  }
  if (changes.files.length > 0) {
    return null; // the diff says it all
  }
  const told = words.kind === "read" ? PATHS : [];
  const given = Object.entries(row.input).filter(
    ([name, value]) => value !== "" && value != null && !told.includes(name),
  );
  return given.length === 0 ? null : (
    <dl class="tool-input">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a row that reads says in its line already. */
const PATHS = ["filePath", "file_path", "path"];

function Result({ row, words, changes, running }: DetailsProps) {
  const { output } = changes;
  if (changes.files.length > 0 || (output === "" && row.error !== null)) {
    return null; // "Edit applied successfully" is no news
  }
  if (words.kind === "read" && !running) {
    return <ReadFile row={row} output={output} path={words.target} />;
  }
  return <Output text={output} label="Output" growing={running} />;
}

/** Harnesses number the lines of what they read and put it between tags; the file is what is shown. */
function ReadFile(props: {
  readonly row: ToolRow;
  readonly output: string;
  readonly path: string;
}) {
  const inside =
    /<(?:file|content)>\n?([\s\S]*?)(?:\n\(End of file[^\n]*\))?\n?<\/(?:file|content)>/;
  const content = inside.exec(props.output)?.[1] ?? props.output;
  const lines = content.split("\n");
  const numbered = lines.every((line) => line === "" || /^\s*\d+(?:\||: |\t)/.test(line));
  const code = numbered
    ? lines.map((line) => line.replace(/^\s*\d+(?:\| ?|: |\t)/, "")).join("\n")
    : content;
  return code.trim() === "" ? (
    <Output text="" label="Output" />
  ) : (
    <CodeBlock code={code.replace(/\s+$/, "")} language={languageOf(props.path)} tall={false} />
  );
}
