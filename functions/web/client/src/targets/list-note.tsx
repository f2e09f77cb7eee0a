/** What is to be known of a list that others keep: it is on its way, old, empty or not to be had. */
import { Button } from "../design/button";
import { Spinner } from "../design/spinner";
import "./list-note.css";

interface Props {
  busy: boolean;
  /** While it is busy. */
  loading: string;
  /** Why it can't be had; null: it can. */
  problem: string | null;
  /** What else is to be said of it. */
  said?: string | null;
  onAgain: () => void;
}

export function ListNote({ busy, loading, problem, said = null, onAgain }: Props) {
  if (busy) {
    return (
      <p class="list-note" role="status">
        <Spinner /> {loading}
      </p>
    );
  }
  if (problem !== null) {
    return (
      <div class="list-note list-note-bad" role="alert">
        <span>{problem}</span>
        <Button kind="quiet" onClick={onAgain}>
          Try again
        </Button>
      </div>
    );
  }
  return said === null ? null : (
    <p class="list-note" role="status">
      {said}
    </p>
  );
}
