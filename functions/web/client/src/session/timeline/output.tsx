/** What a program said, in a box that can be read from its end and copied. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../design/button";
import { CopyButton } from "./code/copy-button";
import { Scrolling } from "./scrolling";
import { plain } from "./tools/ansi";
import "./output.css";

const FEW_LINES = 14;

interface OutputProps {
  readonly text: string;
  readonly label: string;
  /** More is on its way: its end is kept in view. */
  readonly growing?: boolean;
  readonly tone?: "neutral" | "bad";
}

export function Output({ text, label, growing = false, tone = "neutral" }: OutputProps) {
  const [whole, setWhole] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const shown = plain(text).replace(/^\n+|\s+$/g, "");
  const lines = shown === "" ? 0 : shown.split("\n").length;
  const folded = lines > FEW_LINES && !whole;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text is longer than the box.
  useLayoutEffect(() => {
    if (box.current !== null && growing) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [shown, growing]);
  if (lines === 0) {
    return growing ? null : <p class="output-none">No output</p>;
  }
  return (
    <div class="output" data-tone={tone}>
      <Scrolling ref={box} class="output-text" folded={folded} label={label}>
        <pre>{shown}</pre>
      </Scrolling>
      <div class="output-copy">
        <CopyButton text={shown} what={`Copy ${label.toLowerCase()}`} />
      </div>
      {folded && (
        <Button kind="quiet" class="output-more" onClick={() => setWhole(true)}>
          {`Show all ${lines} lines`}
        </Button>
      )}
    </div>
  );
}
