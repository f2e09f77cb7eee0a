/** Which session the rows belong to. */

import { createContext } from "preact";

export const SessionId = createContext("");
