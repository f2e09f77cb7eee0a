/** Copies a text and says for a moment that it did. */

import { Check, Copy } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";

const SAID_FOR_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  readonly what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), SAID_FOR_MS) : undefined;
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" class="copy-button" onClick={copy} aria-label={copied ? "Copied" : what}>
      <Icon size={14} aria-hidden="true" />
    </button>
  );
}
