/** Access tokens in words. */
import type { AccessTokenView, NewAccessToken } from "../protocol";

export type Scope = NewAccessToken["scope"];

export const LONGEST_DAYS = 365;

export const SCOPES: { value: Scope; label: string; meaning: string }[] = [
  {
    value: "read",
    label: "Read",
    meaning: "May look at everything but tokens and secrets, and watch sessions.",
  },
  {
    value: "write",
    label: "Write",
    meaning: "May also do what is done in sessions: open, prompt, stop, archive, attach.",
  },
  {
    value: "admin",
    label: "Admin",
    meaning:
      "May do everything that you may: people, settings, secrets, tokens, links that sign a browser in.",
  },
];

/** null: it is no number of days that a token may live. */
export function daysOf(text: string): number | null {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= LONGEST_DAYS ? days : null;
}

export function meaning(scope: Scope): string {
  return SCOPES.find((each) => each.value === scope)?.meaning ?? "";
}

export function lastUsed({ lastUsed: day }: AccessTokenView): string {
  return day === null ? "never used" : `last used ${date(`${day}T00:00:00Z`)}`;
}

/** The day in UTC, which is how the server counts those of use. */
export function date(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
}
