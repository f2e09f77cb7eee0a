/** Everything about a session that is not its story: beside it, or over it on a phone. */

import { X } from "lucide-preact";
import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../../design/button";
import type { Participant, SessionView } from "../../protocol";
import { count, dollars, total } from "../format";
import { Moment } from "../moment";
import { Artifacts } from "./artifacts";
import { Branch, Repositories } from "./code-of-it";
import { Origin } from "./origin";
import { People } from "./people";
import { PullRequests } from "./pull-requests";
import { Boots, Settings, Tunnels } from "./sandbox";
import { Fact, Section } from "./section";
import "./details.css";

interface DetailsProps {
  readonly session: SessionView;
  readonly participants: readonly Participant[];
  /** Changes when the agent has handed something in. */
  readonly handedIn: string;
  /** Over the page instead of beside it. */
  readonly over: boolean;
  onClose(): void;
}

export const Details = memo(({ over, onClose, ...props }: DetailsProps) => {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (over) {
      panel.current?.focus();
    }
  }, [over]);
  return (
    <>
      {over && (
        <button type="button" class="details-scrim" aria-label="Close details" onClick={onClose} />
      )}
      <aside
        ref={panel}
        class="details"
        data-over={over || undefined}
        aria-label="Details"
        tabIndex={-1}
        onKeyDown={(event) => {
          // A dialog that is open takes it for itself.
          const free = event.currentTarget.querySelector("dialog[open]") === null;
          if (over && free && event.key === "Escape") onClose();
        }}
      >
        <div class="details-head">
          <h2>Details</h2>
          <IconButton icon={X} label="Close details" onClick={onClose} />
        </div>
        <Content {...props} />
      </aside>
    </>
  );
});

function Content({ session, participants, handedIn }: Omit<DetailsProps, "over" | "onClose">) {
  const tokens = total(session.tokens);
  return (
    <>
      <Repositories session={session} />
      <Origin session={session} />
      <Branch session={session} />
      <PullRequests session={session} news={handedIn} />
      <Artifacts session={session.id} news={handedIn} />
      <People session={session.id} prompts={session.prompts} here={participants} />
      <Tunnels session={session} />
      <Boots session={session} />
      <Settings session={session} />
      <Section title="Session">
        <dl class="section-facts">
          <Fact name="Model">
            {session.model}
            {session.effort !== null && <span class="section-aside"> {session.effort}</span>}
          </Fact>
          {session.cost > 0 && <Fact name="Cost">{dollars(session.cost)}</Fact>}
          {tokens > 0 && <Fact name="Tokens">{count(tokens)}</Fact>}
          <Fact name="Started by">{session.owner}</Fact>
          <Fact name="Created">
            <Moment at={session.createdAt} />
          </Fact>
          <Fact name="Id">
            <code>{session.id}</code>
          </Fact>
        </dl>
      </Section>
    </>
  );
}
