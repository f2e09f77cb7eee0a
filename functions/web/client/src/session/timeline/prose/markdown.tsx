/** Markdown as the page shows it: built from tokens, so that nothing in it is ever taken for HTML. */

import type { Token, Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useMemo } from "preact/hooks";
import { CodeBlock } from "../code/code-block";
import { Scrolling } from "../scrolling";
import { blocks, hasHtml } from "./blocks";
import { Cleaned } from "./cleaned";
import { Inline } from "./inline";
import "./prose.css";

interface MarkdownProps {
  readonly text: string;
  /** More of it is on its way. */
  readonly growing?: boolean;
}

export const Markdown = memo(({ text, growing = false }: MarkdownProps) => {
  const tokens = useMemo(() => blocks(text), [text]);
  const last = tokens.length - 1;
  const first = (tokens.find(isHeading) ?? { depth: 1 }).depth;
  return (
    <div class="prose" data-growing={growing || undefined}>
      {tokens.map((token, at) => (
        // A text only ever grows at its end: what stands at a place stays there.
        <Block key={`${at}`} token={token} first={first} growing={growing && at === last} />
      ))}
    </div>
  );
});

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

/** Of headings in markdown. */
const DEEPEST = 6;

interface BlockProps {
  readonly token: Token;
  /** How deep the first heading of the text is. */
  readonly first: number;
  readonly growing: boolean;
}

const Block = memo(
  ({ token, first, growing }: BlockProps) =>
    hasHtml(token) ? <Cleaned token={token} /> : built(token, first, growing),
  (before, after) => before.token.raw === after.token.raw && before.growing === after.growing,
);

function built(token: Token, first: number, growing = false): ComponentChildren {
  switch (token.type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} first={first} />;
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return <CodeBlock code={text} language={lang?.split(/\s/)[0] ?? ""} growing={growing} />;
    }
    case "blockquote":
      return <blockquote>{token.tokens?.map((each) => built(each, first))}</blockquote>;
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
      return null;
    default:
      return <Inline tokens={[token]} />;
  }
}

/** The page's title is above; an agent's first heading is below it, wherever its numbers begin. */
function Heading({ token, first }: { readonly token: Tokens.Heading; readonly first: number }) {
  const words = <Inline tokens={token.tokens} />;
  switch (token.depth - first) {
    case 1:
      return <h3>{words}</h3>;
    case 2:
    case 3:
    case 4:
    case 5:
      return <h4>{words}</h4>;
    default:
      return <h2>{words}</h2>;
  }
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, at) => <Item key={`${at}`} item={item} />);
  if (!token.ordered) {
    return <ul>{items}</ul>;
  }
  return <ol start={token.start === "" ? 1 : token.start}>{items}</ol>;
}

function Item({ item }: { readonly item: Tokens.ListItem }) {
  const content = item.tokens.map((token) => built(token, DEEPEST));
  if (!item.task) {
    return <li>{content}</li>;
  }
  return (
    <li class="prose-task">
      <input type="checkbox" checked={item.checked === true} disabled aria-label="Task" />
      <div>{content}</div>
    </li>
  );
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    <Scrolling class="prose-table" label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              <th key={`${at}`} align={cell.align ?? undefined}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={`${at}`}>
              {row.map((cell, column) => (
                <td key={`${column}`} align={cell.align ?? undefined}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
