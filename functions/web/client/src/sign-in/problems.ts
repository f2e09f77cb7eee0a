/** Why a way to a provider has led to nothing, for the person who went it. */
import type { SignInRefused } from "../protocol";

type Problem = SignInRefused["problem"];

export const PROBLEMS: Record<Problem, string> = {
  conflict: "No user could be made for this account: every name for it is taken here.",
  declined: "You said no over there, so nothing has happened here.",
  forbidden:
    "This Outboard does not admit your account. Ask whoever runs it to add you, and sign in again.",
  not_found: "The user that this account was is not there any more.",
  unauthenticated:
    "This attempt was begun in another browser, was used already, or took longer than ten minutes. Begin again.",
  unavailable:
    "The code host did not answer, or is not set up for signing in here. Try again in a moment.",
};

const UNKNOWN = "That did not work. Begin again.";

/** Of the address; null: nothing went wrong. Nothing that stands there is shown itself. */
export function problemWords(search = location.search): string | null {
  const named = new URLSearchParams(search).get("problem");
  if (named === null) return null;
  return Object.hasOwn(PROBLEMS, named) ? PROBLEMS[named as Problem] : UNKNOWN;
}
