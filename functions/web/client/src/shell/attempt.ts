/** What somebody asked for; when it was refused, they are told. */
import { ApiError } from "../api";
import { toast } from "../design/toast";

/** Whether it worked. `what` goes on from "Could not". */
export async function attempt(what: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(`Could not ${what}: ${error.message}`, { tone: "bad" });
    return false;
  }
}
