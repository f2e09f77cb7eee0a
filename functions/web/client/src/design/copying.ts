/** Copies a text, and knows for a moment that it did. */
import { useEffect, useState } from "preact/hooks";

const KNOWN_FOR_MS = 1_500;

/** `done`: called each time that it worked. */
export function useCopying(text: string, done = () => {}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(setCopied, KNOWN_FOR_MS, false) : undefined;
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        done();
      },
      () => setCopied(false),
    );
  };
  return { copied, copy };
}
