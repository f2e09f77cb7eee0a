/** A block that the agent wrote HTML into: cleaned before it becomes part of the page. */

import DOMPurify from "dompurify";
import { parser, type Token } from "marked";
import { memo } from "preact/compat";
import { useLayoutEffect, useRef } from "preact/hooks";
import { OPENED_APART, safeHref } from "./links";

// Nothing that loads, runs, submits or styles; ids and names would shadow the page's own.
const ALLOWED = {
  ALLOWED_TAGS: [
    ...["a", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2"],
    ...["h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark", "ol", "p", "pre", "q", "s"],
    ...["samp", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead"],
    ...["tr", "u", "ul", "var"],
  ],
  ALLOWED_ATTR: ["href", "start", "align", "colspan", "rowspan", "open"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

function clean(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ...ALLOWED,
    ALLOWED_TAGS: [...ALLOWED.ALLOWED_TAGS],
    ALLOWED_ATTR: [...ALLOWED.ALLOWED_ATTR],
  });
  for (const link of fragment.querySelectorAll("a")) {
    const href = safeHref(link.getAttribute("href") ?? "");
    if (href === null) {
      link.removeAttribute("href");
    } else {
      link.setAttribute("href", href);
      link.target = OPENED_APART.target;
      link.rel = OPENED_APART.rel;
    }
  }
  return fragment;
}

export const Cleaned = memo(
  ({ token }: { readonly token: Token }) => {
    const place = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      place.current?.replaceChildren(clean(parser([token])));
    }, [token]);
    return <div ref={place} />;
  },
  (before, after) => before.token.raw === after.token.raw,
);
