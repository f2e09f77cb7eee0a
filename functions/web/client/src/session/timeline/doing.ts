/** What goes on right now, in a word or two, from the newest row of a running turn. */

import type { Row } from "../state";
import { sentence, wording } from "./tools/wording";

export function doing(newest: Row | undefined): string {
  switch (newest?.kind) {
    case "text":
      return newest.final ? "Thinking" : "Writing";
    case "tool":
      return newest.status === "running" || newest.status === "pending"
        ? sentence(wording(newest))
        : "Thinking";
    case "retry":
      return "The model refused, trying again";
    case "committed":
      return "Pushing";
    case "pushed":
      return "Finishing";
    default:
      return "Thinking";
  }
}
