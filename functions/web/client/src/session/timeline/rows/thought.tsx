/** The agent's reasoning, folded away: it is there for whoever wonders. */

import { Brain } from "lucide-preact";
import { Icon } from "../../../design/icon";
import { Disclosure } from "../disclosure";
import { Markdown } from "../prose/markdown";
import "./thought.css";

interface ThoughtProps {
  readonly text: string;
  readonly open: boolean;
  readonly live: boolean;
  onToggle(): void;
}

export function Thought({ text, open, live, onToggle }: ThoughtProps) {
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      class="thought"
      icon={<Icon of={Brain} size={14} />}
      line={
        <>
          <span class="thought-verb">{live ? "Thinking" : "Thought"}</span>{" "}
          {!open && <span class="thought-gist">{gist(text)}</span>}
        </>
      }
    >
      <Markdown text={text} growing={live} />
    </Disclosure>
  );
}

/** The first line of it, without what markdown makes bold. */
function gist(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return line.replace(/[*_`#>]+/g, "").trim();
}
