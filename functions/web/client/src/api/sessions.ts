/** Sessions: what they are, what is asked of them, and what came of it. */

import type {
  ArtifactList,
  BootList,
  Inbox,
  InboxRow,
  NewChoice,
  NewPrompt,
  NewPullRequest,
  NewSession,
  ParticipantList,
  PromptAccepted,
  PromptList,
  PromptView,
  PullRequestList,
  PullRequestOutcome,
  SessionList,
  SessionView,
  SocketTicket,
  TimelinePage,
} from "../protocol";
import { get, patch, post, put, remove } from "./request";

export interface SessionQuery {
  readonly limit?: number;
  readonly start?: string | null;
  readonly status?: string | null;
  readonly mine?: boolean;
  readonly query?: string;
  readonly lifecycle?: "open" | "archived" | "all";
}

/** `after`: what follows that slot; `before`: the page that ends there. */
export interface TimelineQuery {
  readonly after?: number;
  readonly before?: number;
  readonly limit?: number;
}

export function inbox(mine = false, limit?: number, signal?: AbortSignal): Promise<Inbox> {
  return get("/inbox", { query: { mine, limit }, signal });
}

export function sessions(asked: SessionQuery = {}, signal?: AbortSignal): Promise<SessionList> {
  return get("/sessions", { query: { ...asked }, signal });
}

export function createSession(asked: NewSession): Promise<SessionView> {
  return post("/sessions", asked);
}

export function session(id: string, signal?: AbortSignal): Promise<SessionView> {
  return get(at(id), { signal });
}

export function rename(id: string, title: string): Promise<SessionView> {
  return patch(at(id), { title });
}

export function openPullRequest(id: string, asked: NewPullRequest): Promise<PullRequestOutcome> {
  return post(`${at(id)}/pull-requests`, asked);
}

/** As their hosts have them now. */
export function pullRequests(id: string, signal?: AbortSignal): Promise<PullRequestList> {
  return post(`${at(id)}/pull-requests/refresh`, undefined, { signal });
}

export function choose(id: string, asked: NewChoice): Promise<SessionView> {
  return put(`${at(id)}/choice`, asked);
}

export function warm(id: string): Promise<SessionView> {
  return post(`${at(id)}/warm`);
}

export function archive(id: string): Promise<SessionView> {
  return post(`${at(id)}/archive`);
}

export function unarchive(id: string): Promise<SessionView> {
  return post(`${at(id)}/unarchive`);
}

export function cancelSession(id: string): Promise<SessionView> {
  return post(`${at(id)}/cancel`);
}

export function saveFiles(id: string): Promise<SessionView> {
  return post(`${at(id)}/snapshot`);
}

export function stop(id: string, prompt?: number): Promise<SessionView> {
  return post(`${at(id)}/stop`, undefined, { query: { prompt } });
}

export function resumeQueue(id: string): Promise<SessionView> {
  return post(`${at(id)}/resume`);
}

export function markRead(id: string, prompt: number): Promise<InboxRow> {
  return put(`${at(id)}/read`, { prompt });
}

export function submit(id: string, asked: NewPrompt): Promise<PromptAccepted> {
  return post(`${at(id)}/prompts`, asked);
}

export function prompts(
  id: string,
  asked: { after?: number; limit?: number } = {},
  signal?: AbortSignal,
): Promise<PromptList> {
  return get(`${at(id)}/prompts`, { query: asked, signal });
}

export function prompt(id: string, number: number, signal?: AbortSignal): Promise<PromptView> {
  return get(`${at(id)}/prompts/${number}`, { signal });
}

export function cancelPrompt(id: string, number: number): Promise<SessionView> {
  return remove(`${at(id)}/prompts/${number}`);
}

export function timeline(
  id: string,
  asked: TimelineQuery,
  signal?: AbortSignal,
): Promise<TimelinePage> {
  return get(`${at(id)}/timeline`, { query: { ...asked }, signal });
}

export function boots(id: string, limit?: number, signal?: AbortSignal): Promise<BootList> {
  return get(`${at(id)}/boots`, { query: { limit }, signal });
}

export function artifacts(id: string, signal?: AbortSignal): Promise<ArtifactList> {
  return get(`${at(id)}/artifacts`, { signal });
}

export function participants(id: string, signal?: AbortSignal): Promise<ParticipantList> {
  return get(`${at(id)}/participants`, { signal });
}

export function socketTicket(id: string, signal?: AbortSignal): Promise<SocketTicket> {
  return post(`${at(id)}/socket-ticket`, undefined, { signal });
}

function at(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}
