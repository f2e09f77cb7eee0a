/** Below everything: what goes on right now, and for how long. */

import { Spinner } from "../../design/spinner";
import { useNow } from "../clock";
import { clock } from "../format";
import type { Turn } from "../state";

interface LiveProps {
  readonly doing: string;
  readonly turn: Turn;
}

export function Live({ doing, turn }: LiveProps) {
  const now = useNow(true);
  const since = turn.startedAt ?? turn.queuedAt;
  return (
    <p class="live">
      <Spinner size={12} />
      <span>{turn.stopping ? "Stopping" : doing}</span>
      {since !== null && <span class="live-time">{clock(now - Date.parse(since))}</span>}
    </p>
  );
}
