/** Markdown as blocks, so that of a text that grows only the last block is made anew. */

import { lexer, type Token } from "marked";

const OPTIONS = { gfm: true, breaks: false } as const;

export function blocks(markdown: string): readonly Token[] {
  return lexer(markdown, OPTIONS).filter((token) => token.type !== "space" && token.type !== "def");
}

/** Whether there is HTML in it, which is cleaned and not built from tokens. */
export function hasHtml(token: Token): boolean {
  if (token.type === "html") {
    return true;
  }
  return children(token).some(hasHtml);
}

function children(token: Token): readonly Token[] {
  switch (token.type) {
    case "list":
      return token.items as Token[];
    case "table":
      return [token.header, ...token.rows].flat().flatMap((cell) => cell.tokens as Token[]);
    default:
      return "tokens" in token && token.tokens !== undefined ? token.tokens : [];
  }
}
