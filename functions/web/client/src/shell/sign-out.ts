/** Ends this browser's login. */
import * as api from "../api";
import { toast } from "../design/toast";
import { start } from "./workspace";

export async function leave(): Promise<void> {
  try {
    await api.signOut();
    start.value = "signed-out";
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    toast(`Could not sign out: ${error.message}`, { tone: "bad" });
  }
}
