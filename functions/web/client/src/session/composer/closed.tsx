/** Instead of the composer: why this session takes no prompts, and the way on. */

import { Archive, ArchiveRestore, Ban, Plus } from "lucide-preact";
import { Button } from "../../design/button";
import { Icon } from "../../design/icon";
import { LinkButton } from "../../design/link-button";
import type { SessionView } from "../../protocol";

interface ClosedProps {
  readonly session: SessionView;
  onRestore(): void;
}

export function Closed({ session, onRestore }: ClosedProps) {
  if (session.status === "archived") {
    return (
      <div class="closed">
        <Icon of={Archive} />
        <p>This session is archived. Restore it to send a prompt.</p>
        <Button icon={ArchiveRestore} onClick={onRestore}>
          Restore
        </Button>
      </div>
    );
  }
  const work = session.branch === null ? "that work" : `the work on ${session.branch}`;
  return (
    <div class="closed">
      <Icon of={Ban} />
      <p>This session was cancelled and takes no prompts. Start a new one to continue {work}.</p>
      <LinkButton href="/" icon={Plus}>
        New session
      </LinkButton>
    </div>
  );
}
