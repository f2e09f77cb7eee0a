/** A tool call: one line in words, which opens to what it was called with and what came of it. */

import { Spinner } from "../../../design/spinner";
import { useNow } from "../../clock";
import { between, clock, duration } from "../../format";
import type { ToolRow } from "../../state";
import { Changes } from "../diff/diff";
import { Disclosure } from "../disclosure";
import { changes } from "./changes";
import { ToolIcon } from "./icon";
import { ToolDetails } from "./tool-details";
import { type ToolWords, wording } from "./wording";
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
  const going = row.status === "running" || row.status === "pending";
  const running = live && going;
  const cutOff = going && !live;
  const words = wording(cutOff ? { ...row, status: "completed" } : row);
  const changed = changes(row);
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      class={words.subtask ? "tool tool-subtask" : "tool"}
      icon={running ? <Spinner size={12} /> : <ToolIcon kind={words.kind} failed={failed(row)} />}
      line={
        <>
          <Words words={words} /> {changed.files.length > 0 && <Changes {...changed} />}{" "}
          <Outcome row={row} running={running} cutOff={cutOff} />
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

interface OutcomeProps {
  readonly row: ToolRow;
  readonly running: boolean;
  /** Its turn ended without a word about how it came out. */
  readonly cutOff: boolean;
}

function Outcome({ row, running, cutOff }: OutcomeProps) {
  const now = useNow(running);
  const exit = row.exitCode;
  return (
    <span class="tool-outcome">
      {exit !== null && exit !== 0 && <span class="tool-failed">exit {exit}</span>}{" "}
      {exit === null && row.status === "error" && <span class="tool-failed">failed</span>}{" "}
      {cutOff && <span>cut off</span>}
      {running && <span>{clock(now - Date.parse(row.at))}</span>}
      {!running && took(row) !== null && <span>{took(row)}</span>}
    </span>
  );
}

function took({ at, endedAt }: ToolRow): string | null {
  const ms = endedAt === null ? 0 : between(at, endedAt);
  return ms >= WORTH_TELLING_MS ? duration(ms) : null;
}

function failed(row: ToolRow): boolean {
  return row.status === "error" || (row.exitCode ?? 0) !== 0;
}
