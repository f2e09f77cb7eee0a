/** The part of the timeline that is loaded, folded into what it shows. Its frames are forgotten. */

import type { FrameMessage, TimelineEvent } from "../../protocol";
import { ENDED, type Facts, factsOf } from "./facts";
import { type Keyed, lookUp, NONE, store } from "./keyed";
import { known } from "./known";
import type { Row } from "./rows";
import type { Said } from "./said";
import { rowsOf, unknownRow } from "./telling";
import { add, EMPTY_TRACK, find, insert, type Track } from "./track";
import { factsOfTurn, mergedTurn, type TurnFacts } from "./turns";

export interface Loaded {
  readonly first: number;
  /** `first - 1` when there is nothing yet. */
  readonly last: number;
  readonly track: Track;
  /** By number. */
  readonly turns: Keyed<TurnFacts>;
  readonly facts: Facts;
  /** The newest sandbox that is over: what it still says counts for nothing. */
  readonly retired: number;
  /** The oldest sandbox that said something. */
  readonly oldest: number;
  /** Rows since a turn, or a rest, last began or ended: they go behind the prompt that comes next. */
  readonly gap: number;
  /** Whether a turn began or ended here at all. */
  readonly turned: boolean;
  /** Whether the first that did was a beginning: its prompt is then the first row. */
  readonly headed: boolean;
}

export function nothingFrom(first: number): Loaded {
  return {
    first,
    last: first - 1,
    track: EMPTY_TRACK,
    turns: NONE,
    facts: {},
    retired: 0,
    oldest: Number.POSITIVE_INFINITY,
    gap: 0,
    turned: false,
    headed: false,
  };
}

/** With the frame that follows. */
export function append(loaded: Loaded, frame: FrameMessage): Loaded {
  const { seq, at, attempt } = frame;
  const here = { ...loaded, last: seq };
  if (attempt !== null && attempt <= loaded.retired) {
    return here;
  }
  return frame.items.reduce<Loaded>(
    (told, item, index) => tell(told, item.event, { seq, index, at, attempt }),
    attempt === null ? here : { ...here, oldest: Math.min(here.oldest, attempt) },
  );
}

function tell(loaded: Loaded, raw: Readonly<Record<string, unknown>>, said: Said): Loaded {
  const event = known(raw);
  if (event === null) {
    return withRow(loaded, unknownRow(raw, said));
  }
  const rowed = rowsOf(event, said).reduce(withRow, loaded);
  const shown = ends(event) ? { ...rowed, gap: 0, turned: true } : rowed;
  const turn = factsOfTurn(event, said);
  const facts = factsOf(event, said);
  return {
    ...shown,
    turns: turn === null ? shown.turns : withTurn(shown.turns, turn),
    facts: facts === null ? shown.facts : { ...shown.facts, ...facts },
    retired: Math.max(shown.retired, retiredBy(event)),
  };
}

function withTurn(turns: Keyed<TurnFacts>, turn: TurnFacts): Keyed<TurnFacts> {
  const key = String(turn.number);
  return store(turns, key, mergedTurn(lookUp(turns, key), turn));
}

function retiredBy(event: TimelineEvent): number {
  switch (event.type) {
    case "sandbox_status":
      return ENDED.has(event.status) ? event.attempt : 0;
    case "sandbox_spawning":
      return event.attempt - 1;
    default:
      return 0;
  }
}

function withRow(loaded: Loaded, row: Row): Loaded {
  if (row.kind === "prompt") {
    return begun(loaded, row);
  }
  const gap = find(loaded.track, row.key) === undefined ? loaded.gap + 1 : loaded.gap;
  return { ...loaded, track: add(loaded.track, row), gap };
}

/** A prompt stands in front of the boot that it waited for. */
function begun(loaded: Loaded, row: Row): Loaded {
  const isNew = find(loaded.track, row.key) === undefined;
  return {
    ...loaded,
    track: isNew ? insert(loaded.track, loaded.gap, row) : loaded.track,
    gap: 0,
    turned: true,
    headed: loaded.headed || !loaded.turned,
  };
}

/** Why a sandbox ends that nobody waits for: it was idle, or its session was archived. */
const RESTS: ReadonlySet<string> = new Set(["inactive", "stopped"]);

/**
 * What no prompt waits behind: the next one is told after it. A prompt that was taken back had no
 * turn that could end.
 */
function ends(event: TimelineEvent): boolean {
  switch (event.type) {
    case "prompt_finished":
      return event.status !== "cancelled";
    case "session_status":
      return event.status === "archived";
    case "sandbox_status":
      return RESTS.has(event.reason ?? "");
    default:
      return false;
  }
}
