/** What a browser has when it is back from where an account is connected: behind the `#`. */

export interface CameBack {
  provider: string;
  state: string;
  code: string;
}

/** Out of the address at once, so that it is in no history. Null: it was nowhere. */
export function takeCameBack(): CameBack | null {
  const said = new URLSearchParams(location.hash.slice(1));
  const [provider, state, code] = ["connect", "state", "code"].map((name) => said.get(name));
  if (!provider || !state || !code) return null;
  history.replaceState(history.state, "", location.pathname);
  return /^[a-z]{1,20}$/.test(provider) ? { provider, state, code } : null;
}
