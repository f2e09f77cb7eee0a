/** Which session the rows belong to. */

import { createContext } from "preact";

export const SessionId = createContext("");

/** Whether what is told of a repository has to say of which. */
export const SeveralRepositories = createContext(false);
