/** What stands inside a line of markdown, as nodes of the page. */

import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { OPENED_APART, safeHref } from "./links";

export function Inline({ tokens }: { readonly tokens: readonly Token[] | undefined }) {
  return <>{tokens?.map(piece)}</>;
}

function piece(token: Token): ComponentChildren {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link token={token as Tokens.Link} />;
    case "image":
      return <Image token={token as Tokens.Image} />;
    case "escape":
      return token.text;
    case "checkbox":
      return null; // the list item shows it
    case "text":
      return token.tokens === undefined ? unescaped(token.text) : <Inline tokens={token.tokens} />;
    default:
      return token.raw;
  }
}

function Link({ token }: { readonly token: Tokens.Link }) {
  const href = safeHref(token.href);
  const words = <Inline tokens={token.tokens} />;
  return href === null ? (
    <span>{words}</span>
  ) : (
    <a href={href} {...OPENED_APART}>
      {words}
    </a>
  );
}

/** Pictures from elsewhere are named, not loaded: the page asks no other host for anything. */
function Image({ token }: { readonly token: Tokens.Image }) {
  const href = safeHref(token.href);
  const name = token.text || token.href;
  return href === null ? (
    <span>{name}</span>
  ) : (
    <a href={href} {...OPENED_APART}>
      {name}
    </a>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/** Markdown knows HTML's names for characters; what is built from nodes has to read them itself. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
