/** What rows of the timeline ask the page for. */

import { createContext } from "preact";

export interface TimelinePage {
  /** Loads the whole of a prompt; asked again and again it loads once. */
  needPrompt(number: number): void;
}

export const TimelineContext = createContext<TimelinePage>({
  needPrompt: () => undefined,
});
