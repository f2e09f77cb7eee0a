/** Tells of an environment that was chosen last and is deleted, and of what is chosen instead. */
import { inWords, type Target } from "./target";
import "./target.css";

interface Props {
  /** Null: no environment is gone. */
  name: string | null;
  target: Target | null;
}

export function GoneNote({ name, target }: Props) {
  if (name === null) return null;
  return (
    <p class="gone-note" role="status">
      The environment “{name}” was deleted.{" "}
      {target ? `The session would work on ${inWords(target)}.` : "Choose something else."}
    </p>
  );
}
