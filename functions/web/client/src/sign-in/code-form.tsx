/** For a link that was made elsewhere: paste it, or the code in it. */
import { useState } from "preact/hooks";
import { Button } from "../design/button";
import { Field } from "../design/field";
import { codeOf, redeem } from "./redeem";

export function CodeForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const code = codeOf(text);
    if (!code || busy) return;
    setBusy(true);
    const refused = await redeem(code);
    setBusy(false);
    setProblem(refused);
    if (refused === null) onSignedIn();
  };
  return (
    <form class="code-form" onSubmit={submit}>
      <Field label="Or paste the link here" value={text} onInput={setText} mono />
      <Button type="submit" busy={busy} disabled={!codeOf(text)}>
        Sign in
      </Button>
      <p class={problem ? "code-form-problem" : "visually-hidden"} role="alert">
        {problem}
      </p>
    </form>
  );
}
