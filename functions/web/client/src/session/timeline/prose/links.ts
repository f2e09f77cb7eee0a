/** Which addresses in an agent's words become links: those that can do nothing but be opened. */

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** Null for what is no safe absolute address. A page's own addresses are not an agent's to give. */
export function safeHref(href: string): string | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

export const OPENED_APART = { target: "_blank", rel: "noopener noreferrer nofollow" } as const;
