/** Who took part, and who looks at the session now. */

import * as api from "../../api";
import { Avatar } from "../../design/avatar";
import { StatusDot } from "../../design/badge";
import { RelativeTime } from "../../design/relative-time";
import type { Participant, ParticipantView } from "../../protocol";
import { plural } from "../format";
import { useFetched } from "./fetched";
import { Section } from "./section";

interface PeopleProps {
  readonly session: string;
  readonly prompts: number;
  readonly here: readonly Participant[];
}

export function People({ session, prompts, here }: PeopleProps) {
  const news = `${prompts}/${here.map((each) => each.user).join()}`;
  const told = useFetched((signal) => api.participants(session, signal), session, news);
  const people = together(told?.participants ?? [], here);
  return people.length === 0 ? null : (
    <Section title="Participants">
      <ul class="section-list">
        {people.map((person) => (
          <li key={person.user} class="section-line">
            <Avatar name={person.displayName} idle={person.presence === "idle"} />
            <span class="section-grow">{person.displayName}</span>
            {person.prompts > 0 && (
              <span class="section-aside">{plural(person.prompts, "prompt")}</span>
            )}
            <Seen person={person} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Person = ParticipantView & { readonly presence: Participant["status"] | null };

function Seen({ person }: { readonly person: Person }) {
  if (person.presence === "active") {
    return <StatusDot tone="ok" label="Here now" />;
  }
  if (person.presence === "idle") {
    return <StatusDot tone="neutral" hollow label="Here, idle" />;
  }
  return person.lastSeenAt === null ? null : (
    <span class="section-aside">
      <RelativeTime at={person.lastSeenAt} />
    </span>
  );
}

/** Who only looks is a participant, too. */
function together(told: readonly ParticipantView[], here: readonly Participant[]): Person[] {
  const presence = new Map(here.map((each) => [each.user, each.status]));
  const known = new Set(told.map((each) => each.user));
  const watching = here.filter((each) => !known.has(each.user));
  return [
    ...told.map((each) => ({ ...each, presence: presence.get(each.user) ?? null })),
    ...watching.map(({ user, name, status }) => {
      return { user, displayName: name, prompts: 0, lastSeenAt: null, presence: status };
    }),
  ];
}
