/** What a tab remembers over a reload. A browser that keeps nothing, or no more, is no error. */

export function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) {
      sessionStorage.removeItem(key);
    } else {
      sessionStorage.setItem(key, value);
    }
  } catch {
    // Full, or forbidden: what is on the page goes on without it.
  }
}
