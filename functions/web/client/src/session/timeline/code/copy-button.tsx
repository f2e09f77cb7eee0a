/** Copies a text and says for a moment that it did. */

import { Check, Copy } from "lucide-preact";
import { useCopying } from "../../../design/copying";

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const { copied, copy } = useCopying(text);
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" class="copy-button" onClick={copy} aria-label={copied ? "Copied" : what}>
      <Icon size={14} aria-hidden="true" />
    </button>
  );
}
