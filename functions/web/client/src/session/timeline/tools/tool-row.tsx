/** A tool call: one line in words, which opens to what it was called with and what came of it. */

import { Spinner } from "../../../design/spinner";
import { useNow } from "../../clock";
import { between, clock, duration } from "../../format";
import type { ToolRow } from "../../state";
import { Changes, spoken } from "../diff/diff";
import { Disclosure } from "../disclosure";
import { changes } from "./changes";
import { ToolIcon } from "./icon";
import { ToolDetails } from "./tool-details";
import { sentence, type ToolWords, wording } from "./wording";
import "./tool.css";

/** Quicker than this, nobody asks how long it took. */
const WORTH_TELLING_MS = 1_000;

interface ToolProps {
  readonly row: ToolRow;
  readonly open: boolean;
  /** Its turn goes on: only then does a call without a result still run. */
  readonly live: boolean;
  onToggle(): void;
}

export function Tool({ row, open, live, onToggle }: ToolProps) {
  const words = wording(row);
  const running = live && row.status === "running";
  const changed = changes(row);
  const label = [sentence(words), ...outcome(row, running)].join(", ");
  const told = changed.files.length > 0 ? `${label}, ${spoken(changed)}` : label;
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      label={told}
      class={words.subtask ? "tool tool-subtask" : "tool"}
      icon={running ? <Spinner size={12} /> : <ToolIcon kind={words.kind} failed={failed(row)} />}
      line={
        <>
          <Words words={words} />
          <Changes {...changed} />
          <Outcome row={row} running={running} />
        </>
      }
    >
      <ToolDetails row={row} words={words} changes={changed} running={running} />
    </Disclosure>
  );
}

function Words({ words }: { readonly words: ToolWords }) {
  return (
    <span class="tool-words">
      <span class="tool-verb">{words.verb}</span>{" "}
      <span class={words.code ? "tool-target tool-code" : "tool-target"}>{words.target}</span>
    </span>
  );
}

function Outcome({ row, running }: { readonly row: ToolRow; readonly running: boolean }) {
  const now = useNow(running);
  const exit = row.exitCode;
  return (
    <span class="tool-outcome">
      {exit !== null && exit !== 0 && <span class="tool-failed">exit {exit}</span>}
      {exit === null && row.status === "error" && <span class="tool-failed">failed</span>}
      {running && <span>{clock(now - Date.parse(row.at))}</span>}
      {!running && took(row) !== null && <span>{took(row)}</span>}
    </span>
  );
}

/** For whoever hears the row. */
function outcome(row: ToolRow, running: boolean): string[] {
  if (running) {
    return ["running"];
  }
  const code = row.exitCode !== null && row.exitCode !== 0 ? [`exit code ${row.exitCode}`] : [];
  const broken = row.exitCode === null && row.status === "error" ? ["failed"] : [];
  const time = took(row);
  return [...code, ...broken, ...(time === null ? [] : [time])];
}

function took({ at, endedAt }: ToolRow): string | null {
  const ms = endedAt === null ? 0 : between(at, endedAt);
  return ms >= WORTH_TELLING_MS ? duration(ms) : null;
}

export function failed(row: ToolRow): boolean {
  return row.status === "error" || (row.exitCode ?? 0) !== 0;
}
