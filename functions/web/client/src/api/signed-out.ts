/** Whether the server no longer knows who we are. Set where a 401 comes in, shown by the shell. */

import { signal } from "@preact/signals";

export const signedOut = signal(false);
