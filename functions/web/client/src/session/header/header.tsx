/** The bar above a session: what it is, how it is, who is here, and what can be done. */

import { CircleStop, FileDiff, Link, PanelRight } from "lucide-preact";
import { memo } from "preact/compat";
import { Badge } from "../../design/badge";
import { Button, IconButton } from "../../design/button";
import { sessionStatus } from "../../design/status";
import type { Participant, SessionView } from "../../protocol";
import { SidebarButton } from "../../shell/page-header";
import type { SessionActions } from "../actions";
import { count, dollars, total } from "../format";
import { canStop } from "../standing";
import type { ConnectionStatus } from "../state";
import { ConnectionMark } from "./connection-mark";
import { copyLink, SessionMenu } from "./menu";
import { Presence } from "./presence";
import { SandboxChip } from "./sandbox-chip";
import { TargetMark } from "./target-mark";
import { Title } from "./title";
import "./header.css";

interface HeaderProps {
  readonly session: SessionView;
  readonly connection: ConnectionStatus;
  readonly participants: readonly Participant[];
  readonly me: string | null;
  readonly actions: SessionActions;
  readonly editing: boolean;
  onEdit(editing: boolean): void;
  readonly stopping: boolean;
  readonly changes: boolean;
  onChanges(): void;
  readonly details: boolean;
  onDetails(): void;
}

export const Header = memo(({ session, actions, ...props }: HeaderProps) => {
  const status = sessionStatus(session.status, session.outcome);
  return (
    <header class="session-header">
      <SidebarButton />
      <div class="session-header-what">
        <Title
          session={session}
          editing={props.editing}
          onEdit={props.onEdit}
          onRename={actions.rename}
        />
        <Badge tone={status.tone} tip={status.meaning}>
          {status.label}
        </Badge>
        <TargetMark session={session} />
      </div>
      <div class="session-header-how">
        <ConnectionMark status={props.connection} />
        {session.demo && <Demo />}
        <Spent session={session} />
        <SandboxChip session={session} />
        <Presence participants={props.participants} me={props.me} />
      </div>
      <div class="session-header-actions">
        {canStop(session) && (
          <Button
            icon={CircleStop}
            busy={props.stopping}
            class="stop-button"
            onClick={actions.stop}
          >
            Stop
          </Button>
        )}
        <IconButton icon={Link} label="Copy link" class="link-button" onClick={copyLink} />
        <IconButton
          icon={FileDiff}
          label={props.changes ? "Hide changes" : "Show changes"}
          keys="d"
          pressed={props.changes}
          onClick={props.onChanges}
        />
        <IconButton
          icon={PanelRight}
          label={props.details ? "Hide details" : "Show details"}
          keys="]"
          pressed={props.details}
          onClick={props.onDetails}
        />
        <SessionMenu session={session} actions={actions} onRename={() => props.onEdit(true)} />
      </div>
    </header>
  );
});

function Demo() {
  const tip =
    "The scripted demo model answers; no real model does. Set a model key to get real work done.";
  return (
    <Badge tone="warn" tip={tip}>
      Demo model
    </Badge>
  );
}

function Spent({ session }: { readonly session: SessionView }) {
  const { input, output, cached } = session.tokens;
  const all = total(session.tokens);
  if (session.cost === 0 && all === 0) {
    return null;
  }
  const tip = `${count(input)} tokens in, ${count(cached)} from the cache, ${count(output)} out`;
  return (
    <span class="spent" data-tip={tip}>
      {session.cost > 0 && <span>{dollars(session.cost)}</span>}
      {all > 0 && <span>{count(all)} tokens</span>}
    </span>
  );
}
