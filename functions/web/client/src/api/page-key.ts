/**
 * What our pages keep of a login. Ports of one machine share cookies, so there a cookie is good
 * only with this, which other ports' pages can't read and no request carries by itself.
 */

const NAME = "outboard.login";

/** For a browser that keeps nothing: as long as the page is open. */
let held: string | null = null;

/** Another tab may have signed in since: what is kept for all of them counts. */
export function pageKey(): string | null {
  try {
    return localStorage.getItem(NAME) ?? held;
  } catch {
    return held;
  }
}

/** null: forgets it. */
export function keepPageKey(key: string | null): void {
  held = key;
  try {
    if (key === null) {
      localStorage.removeItem(NAME);
    } else {
      localStorage.setItem(NAME, key);
    }
  } catch {
    // This page has it all the same.
  }
}
