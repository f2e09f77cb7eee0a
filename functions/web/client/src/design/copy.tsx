/** A command or a token to take along: shown in full, copied with one press. */
import { Check, Copy as CopyIcon } from "lucide-preact";
import { announce } from "./announce";
import { IconButton } from "./button";
import { useCopying } from "./copying";
import "./copy.css";

interface Props {
  text: string;
  /** What it is: "command", "token". */
  what: string;
}

export function Copy({ text, what }: Props) {
  const { copied, copy } = useCopying(text, () => announce(`Copied the ${what}`));
  return (
    <div class="copy">
      <code class="copy-text">{text}</code>
      <IconButton icon={copied ? Check : CopyIcon} label={`Copy the ${what}`} onClick={copy} />
    </div>
  );
}
