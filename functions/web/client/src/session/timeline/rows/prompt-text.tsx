/** The words of a prompt. A long one is folded; of a very long one the rest has to be fetched. */

import { useContext, useState } from "preact/hooks";
import * as api from "../../../api";
import { Button } from "../../../design/button";
import { toast } from "../../../design/toast";
import { SessionId } from "../session-id";

const FEW_CHARS = 1_600;
const FEW_LINES = 18;

interface TextProps {
  readonly text: string;
  readonly excerpt: boolean;
  readonly number: number;
}

export function PromptText({ text, excerpt, number }: TextProps) {
  const session = useContext(SessionId);
  const [open, setOpen] = useState(false);
  const [whole, setWhole] = useState<string | null>(null);
  const shown = whole ?? text;
  const long = excerpt || shown.length > FEW_CHARS || shown.split("\n").length > FEW_LINES;
  const show = () => {
    setOpen(true);
    if (excerpt) {
      api.prompt(session, number).then(
        (prompt) => setWhole(prompt.text),
        () => toast("The rest of the prompt could not be loaded", { tone: "bad" }),
      );
    }
  };
  if (shown === "") {
    return null;
  }
  return (
    <>
      <p class="prompt-text" data-folded={(long && !open) || undefined}>
        {shown}
      </p>
      {long && !open && (
        <Button kind="quiet" class="prompt-more" onClick={show}>
          Show the whole prompt
        </Button>
      )}
    </>
  );
}
