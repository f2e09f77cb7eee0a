/** Ends this browser's login, and begins anew: nothing of this person stays in the page. */
import * as api from "../api";
import { toast } from "../design/toast";
import { forgetPerson } from "./stored";

export async function leave(): Promise<void> {
  try {
    await api.signOut();
    forgetPerson();
    location.assign("/");
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    toast(`Could not sign out: ${error.message}`, { tone: "bad" });
  }
}
