/** Who else looks at the session. */

import { Avatar } from "../../design/avatar";
import type { Participant } from "../../protocol";

const MOST = 4;

interface PresenceProps {
  readonly participants: readonly Participant[];
  readonly me: string | null;
}

export function Presence({ participants, me }: PresenceProps) {
  const others = participants.filter((each) => each.user !== me);
  if (others.length === 0) {
    return null;
  }
  const left = others.length - MOST;
  return (
    <ul class="presence" aria-label="Here now">
      {others.slice(0, MOST).map(({ user, name, status }) => (
        <li key={user}>
          <Avatar
            name={name}
            idle={status === "idle"}
            label={status === "idle" ? `${name}, idle` : `${name} is here`}
          />
        </li>
      ))}
      {left > 0 && <li class="presence-more">+{left}</li>}
    </ul>
  );
}
