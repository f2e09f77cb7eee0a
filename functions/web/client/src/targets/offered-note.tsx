/** Below the field that searches repositories: how the code hosts' list is. */

import { ago } from "../design/relative-time";
import type { ForgeProblem } from "../protocol";
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

export function said({ found, asOf, silent }: Offered, now: number): string | null {
  if (silent.length > 0) return silent.map((each) => ofHost(each, now)).join(" ");
  const stale = staleness(asOf, now);
  if (stale !== null) return stale;
  if (asOf !== null && found.length === 0) return "The code hosts offer nothing here.";
  return found.length < MOST_LISTED ? null : "There are more at the code hosts: search for them.";
}

function ofHost({ host, message, listedAt }: ForgeProblem, now: number): string {
  const listed =
    listedAt === null
      ? "Nothing of it is listed."
      : `Its list is as it was ${ago(Date.parse(listedAt), now)} ago.`;
  return `${host} does not answer (${message}). ${listed}`;
}
