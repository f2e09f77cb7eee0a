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
  return (
    <div class="prose" data-growing={growing || undefined}>
      {tokens.map((token, at) => (
        // A text only ever grows at its end: what stands at a place stays there.
        <Block key={`${at}`} token={token} growing={growing && at === last} />
      ))}
    </div>
  );
});

interface BlockProps {
  readonly token: Token;
  readonly growing: boolean;
}

const Block = memo(
  ({ token, growing }: BlockProps) =>
    hasHtml(token) ? <Cleaned token={token} /> : built(token, growing),
  (before, after) => before.token.raw === after.token.raw && before.growing === after.growing,
);

function built(token: Token, growing = false): ComponentChildren {
  switch (token.type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} />;
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
      return <blockquote>{token.tokens?.map((each) => built(each))}</blockquote>;
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

/** The page's own headings are above: an agent's begin below them, however it numbers them. */
function Heading({ token }: { readonly token: Tokens.Heading }) {
  const words = <Inline tokens={token.tokens} />;
  if (token.depth === 1) {
    return <h3>{words}</h3>;
  }
  return token.depth === 2 ? <h4>{words}</h4> : <h5>{words}</h5>;
}

function List({ token }: { readonly token: Tokens.List }) {
  const items = token.items.map((item, at) => <Item key={`${at}`} item={item} />);
  if (!token.ordered) {
    return <ul>{items}</ul>;
  }
  return <ol start={token.start === "" ? 1 : token.start}>{items}</ol>;
}

function Item({ item }: { readonly item: Tokens.ListItem }) {
  const content = item.tokens.map((token) => built(token));
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
