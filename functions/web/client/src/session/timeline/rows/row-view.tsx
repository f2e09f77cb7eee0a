/** One row of the timeline, by its kind. */

import { memo } from "preact/compat";
import { useErrorBoundary } from "preact/hooks";
import type { Row, Turn } from "../../state";
import { Boot } from "../boot/boot";
import { Markdown } from "../prose/markdown";
import { Tool } from "../tools/tool-row";
import { Artifact } from "./artifact";
import { Compared } from "./compared";
import { Facts } from "./fact";
import { Outcome } from "./outcome";
import { Prompt } from "./prompt";
import { Thought } from "./thought";
import { Todos } from "./todos";

interface RowProps {
  readonly row: Row;
  /** Of the prompt that it belongs to. */
  readonly turn: Turn | null;
  readonly open: boolean;
  /** Nothing has come after it. */
  readonly last: boolean;
  onToggle(row: Row): void;
}

export const RowView = memo((props: RowProps) => {
  const { row } = props;
  return (
    <div class={`row row-${row.kind}`} data-row={row.key}>
      <Apart key={row.key} {...props} />
    </div>
  );
});

/** A bug of ours in one row is no reason to lose the page with all the others. */
function Apart(props: RowProps) {
  const [broken] = useErrorBoundary((error) => console.error(error));
  return broken === undefined ? (
    <Content {...props} />
  ) : (
    <p class="fact-text">This part can't be shown</p>
  );
}

function Content({ row, turn, open, last, onToggle }: RowProps) {
  const toggle = () => onToggle(row);
  const live = turn?.status === "running";
  switch (row.kind) {
    case "prompt":
      return <Prompt turn={turn} number={row.turn} at={row.at} />;
    case "text":
      return <Markdown text={row.text} growing={live && last && !row.final} />;
    case "reasoning":
      return <Thought text={row.text} open={open} live={live && last} onToggle={toggle} />;
    case "tool":
      return <Tool row={row} open={open} live={live} onToggle={toggle} />;
    case "todos":
      return <Todos row={row} open={open} onToggle={toggle} />;
    case "boot":
      return <Boot row={row} open={open} onToggle={toggle} />;
    case "artifact":
      return <Artifact row={row} />;
    case "compared":
      return <Compared row={row} />;
    case "outcome":
      return <Outcome turn={turn} />;
    default:
      return <Facts row={row} />;
  }
}
