/** What goes on right now, in a word: the newest row of a running turn says which. */

import type { Row } from "../state";

export function doing(newest: Row | undefined): string {
  switch (newest?.kind) {
    case "text":
      return newest.final ? "Thinking" : "Writing";
    case "tool":
      return newest.status === "running" || newest.status === "pending" ? "Working" : "Thinking";
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
