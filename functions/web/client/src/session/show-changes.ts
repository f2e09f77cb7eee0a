/** Shows the panel with what the session has changed. */

import { createContext } from "preact";

export const ShowChanges = createContext<() => void>(() => undefined);
