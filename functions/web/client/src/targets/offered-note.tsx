/** Below the field that searches repositories: how the code hosts' list is. */

import { staleness } from "./freshness";
import { ListNote } from "./list-note";
import { MOST_LISTED, type Offered, offered } from "./offered";

export function OfferedNote() {
  const state = offered.state.value;
  const { problem } = state;
  return (
    <ListNote
      busy={state.busy}
      loading="Asking the code hosts"
      problem={problem && `The code hosts' repositories could not be listed: ${problem}.`}
      said={said(state, Date.now())}
      onAgain={() => void offered.again()}
    />
  );
}

export function said({ found, asOf }: Offered, now: number): string | null {
  const stale = staleness(asOf, now);
  if (stale !== null) return stale;
  if (asOf !== null && found.length === 0) return "The code hosts offer nothing here.";
  return found.length < MOST_LISTED ? null : "There are more at the code hosts: search for them.";
}
