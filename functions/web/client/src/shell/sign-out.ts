/** Ends logins, and begins anew: nothing of this person stays in the page. */
import * as api from "../api";
import { attempt } from "./attempt";
import { forgetPerson } from "./stored";

export async function leave(): Promise<void> {
  if (await attempt("sign out", api.signOut)) beginAnew();
}

/** Whether it worked. */
export async function leaveEverywhere(tokens: boolean): Promise<boolean> {
  const left = await attempt("sign out everywhere", () => api.signOutEverywhere(tokens));
  if (left) beginAnew();
  return left;
}

function beginAnew(): void {
  forgetPerson();
  location.assign("/");
}
