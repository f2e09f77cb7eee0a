/** The rows of the timeline, for a virtual list. */

import { turn, upNext } from "./prompts";
import type { PromptRow, Row } from "./rows";
import { atPlace, length, values } from "./strip";
import { promptKey } from "./telling";
import type { SessionState } from "./types";

/** A row that did not change is the same object; one that did has the same `key`. */
export interface Rows {
  readonly length: number;
  at(index: number): Row | undefined;
}

const NO_ROWS: Rows = { length: 0, at: () => undefined };

export function rows(state: SessionState): Rows {
  const { loaded } = state;
  if (loaded === null) {
    return NO_ROWS;
  }
  const { strip } = loaded.track;
  const told: Rows = {
    length: length(strip),
    at: (index) => atPlace(strip, strip.start + index),
  };
  const next = upNext(state);
  return next === null ? told : withPrompt(told, told.length - loaded.gap, waiting(state, next));
}

/** A prompt stands in front of the boot that it waits for already before its turn begins. */
function withPrompt(rows: Rows, place: number, row: PromptRow): Rows {
  return {
    length: rows.length + 1,
    at: (index) => (index === place ? row : rows.at(index < place ? index : index - 1)),
  };
}

function waiting(state: SessionState, number: number): PromptRow {
  const at = turn(state, number)?.queuedAt ?? "";
  return { kind: "prompt", key: promptKey(number), at, attempt: null, turn: number };
}

/** Every row, in its order. For what is small, and for tests. */
export function* allRows(state: SessionState): Generator<Row> {
  const all = rows(state);
  for (let index = 0; index < all.length; index += 1) {
    yield all.at(index) as Row;
  }
}

/** The turn that the oldest loaded row of one belongs to. */
export function oldestTurn(state: SessionState): number | null {
  for (const row of state.loaded === null ? [] : values(state.loaded.track.strip)) {
    if ("turn" in row) {
      return row.turn;
    }
  }
  return null;
}
