/** A one-use code becomes this browser's login. */
import * as api from "../api";

/** Null: signed in; else why not, for the person. */
export async function redeem(code: string): Promise<string | null> {
  try {
    await api.signIn(code);
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
    if (error.code === api.UNREACHABLE) return "Outboard can't be reached. Try again in a moment.";
    if (error.status >= 500) return `That did not work: ${error.message}.`;
    return "This link was used already, or is older than ten minutes. Get a new one.";
  }
}

/** Of a whole link, or alone. */
export function codeOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.lastIndexOf("#") + 1);
}
