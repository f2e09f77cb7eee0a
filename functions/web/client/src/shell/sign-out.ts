/** Ends this browser's login, and begins anew: nothing of this person stays in the page. */
import * as api from "../api";
import { attempt } from "./attempt";
import { forgetPerson } from "./stored";

export async function leave(): Promise<void> {
  if (!(await attempt("sign out", api.signOut))) return;
  forgetPerson();
  location.assign("/");
}
