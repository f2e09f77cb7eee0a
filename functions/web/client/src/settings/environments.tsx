/** Environments: which there are, and their making, changing and deleting. */
import { Boxes, CloudOff, Plus } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { Skeleton } from "../design/skeleton";
import type { EnvironmentView } from "../protocol";
import { environments, environmentsProblem, loadEnvironments } from "../targets/environments";
import { EnvironmentForm } from "./environment-form";
import { EnvironmentRow } from "./environment-row";
import "./environments.css";

/** What is being written: another one, or one that is there. */
type Edited = EnvironmentView | "new" | null;

export function EnvironmentsSection() {
  const [edited, setEdited] = useState<Edited>(null);
  const back = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => void loadEnvironments(), []);
  useEffect(() => {
    if (wasEdited.current && edited === null) back.current?.focus();
    wasEdited.current = edited !== null;
  }, [edited]);
  if (edited !== null) {
    const before = edited === "new" ? null : edited;
    return (
      <EnvironmentForm
        key={before?.version ?? "new"}
        before={before}
        onAnew={setEdited}
        onDone={() => setEdited(null)}
      />
    );
  }
  return (
    <>
      <p class="settings-text">
        An environment is a set of repositories under a name, for everybody. A session that is
        opened from one keeps the repositories it had then.
      </p>
      <div class="settings-actions environments-new">
        <Button ref={back} icon={Plus} onClick={() => setEdited("new")}>
          New environment
        </Button>
      </div>
      <List onEdit={setEdited} />
    </>
  );
}

function List({ onEdit }: { onEdit: (environment: EnvironmentView) => void }) {
  const list = environments.value;
  const problem = environmentsProblem.value;
  if (problem !== null) {
    return (
      <Empty
        title="Environments could not be loaded"
        icon={CloudOff}
        tone="bad"
        action={<Button onClick={() => void loadEnvironments()}>Try again</Button>}
      >
        {problem}
      </Empty>
    );
  }
  if (list === null) return <Skeleton shape="row" lines={3} label="Loading environments" />;
  if (list.length === 0) {
    return (
      <Empty title="There is no environment yet" icon={Boxes}>
        Make one of repositories that are worked on together.
      </Empty>
    );
  }
  return (
    <ul class="environments" aria-label="Environments">
      {list.map((each) => (
        <EnvironmentRow key={each.id} environment={each} onEdit={() => onEdit(each)} />
      ))}
    </ul>
  );
}
