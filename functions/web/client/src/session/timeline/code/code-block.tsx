/** A block of code in the agent's words, with its language and a button that copies it. */

import { Scrolling } from "../scrolling";
import { Colored } from "./colored";
import { CopyButton } from "./copy-button";
import { useColors } from "./highlight";
import "./code.css";

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** More is on its way: it is coloured when it is whole. */
  readonly growing?: boolean;
  /** As tall as it is; else it scrolls. */
  readonly tall?: boolean;
}

export function CodeBlock({ code, language, growing = false, tall = true }: CodeBlockProps) {
  const nodes = useColors(code, language, !growing);
  return (
    <figure
      class="code"
      data-bounded={!tall || undefined}
      data-plain={language === "" || undefined}
      aria-label={language === "" ? "Code" : `Code, ${language}`}
    >
      <div class="code-bar">
        <span class="code-language">{language}</span>
        <CopyButton text={code} what="Copy code" />
      </div>
      <Scrolling class="code-text" label="Text of the code">
        <pre>
          <code>{nodes === null ? code : <Colored nodes={nodes} />}</code>
        </pre>
      </Scrolling>
    </figure>
  );
}
