/** What sessions and repositories are called where there is little room. */
import { phaseLabel, type Status, sandboxStatus, sessionStatus } from "../design/status";
import type { RepositoryView, SessionView } from "../protocol";

/** What the server takes. */
export const MAX_TITLE_CHARS = 120;

type Repository = Pick<RepositoryView, "url" | "name" | "label">;

export function titleOf(session: Pick<SessionView, "title">): string {
  return session.title || "Untitled session";
}

/** `acme/api` for a hosted one; the directory's name for one of this machine. */
export function repositoryName({ url, name, label }: Repository): string {
  if (label) return name || label;
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return path.replace(/^\/+|\/+$|\.git\/?$/g, "") || name;
}

/** What it works on: an environment has a name of its own, before those of its repositories. */
export function targetOf({ environment, repositories }: SessionView): string {
  const names = repositories.map(repositoryName).join(", ") || "No repository";
  return environment ? `${environment.name}: ${names}` : names;
}

/** The session's status; while it works, what exactly goes on. */
export function workOf(session: SessionView): Status {
  const status = sessionStatus(session.status, session.outcome);
  if (session.held) return { ...status, label: "Queue is held", tone: "warn", live: false };
  if (session.status !== "active") return status;
  const { sandbox } = session;
  const phase = phaseOf(session);
  if (phase && sandbox.status === "connecting") return { ...status, label: phase };
  if (sandbox.status === "ready" || sandbox.status === "snapshotting") return status;
  return { ...status, label: sandboxStatus(sandbox.status).label };
}

/** The phase that its sandbox's boot is in. With one repository it goes without saying which. */
export function phaseOf({ sandbox, repositories }: SessionView): string | null {
  const repository = repositories.length > 1 ? sandbox.repository : null;
  return sandbox.phase && phaseLabel(sandbox.phase, repository);
}
