/** In a list of targets: that its environments could not be had, or are those of before. */
import { environmentsProblem, loadEnvironments } from "./environments";
import { ListNote } from "./list-note";

export function EnvironmentsNote() {
  const problem = environmentsProblem.value;
  return (
    <ListNote
      busy={false}
      loading=""
      problem={problem && `The environments could not be listed: ${problem}.`}
      onAgain={() => void loadEnvironments()}
    />
  );
}
