/** The timeline: as many rows as fit are there, older ones are fetched as the reader comes near. */

import { ArrowDown } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import { Virtualizer } from "virtua";
import { Button } from "../../design/button";
import { Spinner } from "../../design/spinner";
import { plural } from "../format";
import { Moment } from "../moment";
import type { Rows, Turn } from "../state";
import { useOpening } from "./opening";
import { RowView } from "./rows/row-view";
import { type TimelineHandle, useReading } from "./use-reading";
import "./rows/row.css";
import "./timeline.css";

/** What is above the first row has this height, whatever it says. */
const TOP = 40;

interface TimelineProps {
  readonly rows: Rows;
  turnOf(number: number): Turn | null;
  readonly hasOlder: boolean;
  readonly beganAt: string | null;
  loadOlder(): void;
  /** Below the last row: what is being sent, what goes on. */
  readonly children: ComponentChildren;
  /** For the keys. */
  readonly handle: { current: TimelineHandle | null };
}

export function Timeline({ rows, turnOf, hasOlder, handle, ...props }: TimelineProps) {
  const reading = useReading({ rows, hasOlder, loadOlder: props.loadOlder, handle });
  const { isOpen, toggle } = useOpening(reading.stay);
  const last = rows.length - 1;
  const view = useCallback(
    (_: unknown, index: number) => {
      const row = rows.at(index);
      if (row === undefined) {
        return <div />;
      }
      return (
        <RowView
          key={row.key}
          row={row}
          turn={"turn" in row ? turnOf(row.turn) : null}
          open={isOpen(row)}
          last={index === last}
          onToggle={toggle}
        />
      );
    },
    [rows, turnOf, isOpen, toggle, last],
  );
  return (
    <div class="timeline">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keys. */}
      <section ref={reading.scroller} class="timeline-scroll" aria-label="Timeline" tabIndex={0}>
        <div ref={reading.content} class="timeline-column">
          <Top hasOlder={hasOlder} beganAt={props.beganAt} />
          <Virtualizer
            ref={reading.list}
            scrollRef={reading.scroller}
            startMargin={TOP}
            bufferSize={600}
            shift={reading.shift}
            data={{ length: rows.length } as ArrayLike<null>}
          >
            {view}
          </Virtualizer>
          <div class="timeline-foot">{props.children}</div>
        </div>
      </section>
      {!reading.follows && <JumpToNewest missed={reading.missed} onJump={reading.jump} />}
    </div>
  );
}

function Top({
  hasOlder,
  beganAt,
}: {
  readonly hasOlder: boolean;
  readonly beganAt: string | null;
}) {
  return (
    <div class="timeline-top">
      {hasOlder ? (
        <span class="timeline-older" role="status">
          <Spinner size={12} /> Loading earlier turns
        </span>
      ) : (
        beganAt !== null && (
          <span>
            Session began <Moment at={beganAt} />
          </span>
        )
      )}
    </div>
  );
}

function JumpToNewest({ missed, onJump }: { readonly missed: number; onJump(): void }) {
  return (
    <div class="timeline-jump">
      <Button icon={ArrowDown} onClick={onJump}>
        {missed === 0 ? "Jump to newest" : `Jump to newest · ${plural(missed, "new row")}`}
      </Button>
    </div>
  );
}
