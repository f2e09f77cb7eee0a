/** Where somebody wanted to go before they had to sign in: only ever a path of ours. */

export const SIGN_IN = "/sign-in";

const NAME = "outboard.wanted";

/** Before the browser goes to a provider. In this tab alone. */
export function keepWanted(): void {
  try {
    sessionStorage.setItem(NAME, wanted());
  } catch {
    // A browser that keeps nothing leads to the home page.
  }
}

/** What was kept, once; null: nothing, or nothing of ours. */
export function takeWanted(): string | null {
  const kept = peek();
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Then nothing was kept either.
  }
  return kept;
}

/** After signing in. `?to=/session/…`: a path of ours, whatever somebody wrote there. */
export function destination(): string {
  return ours(new URLSearchParams(location.search).get("to")) ?? "/";
}

/** On the sign-in page itself it is what its address says, or what an earlier attempt kept. */
function wanted(): string {
  const { pathname, search, hash } = location;
  if (pathname !== SIGN_IN) return pathname + search + hash;
  const named = destination();
  return named === "/" ? (peek() ?? named) : named;
}

function peek(): string | null {
  try {
    return ours(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}

/** As the browser reads it, to whom `/\host` and `/⇥/host` are other hosts, too. */
function ours(to: string | null): string | null {
  if (!to?.startsWith("/") || !URL.canParse(to, location.origin)) return null;
  return new URL(to, location.origin).origin === location.origin ? to : null;
}
