/** What the server is about to say: by hand until shared/protocol has it, then deleted here. */

import type * as wire from "./wire";

export interface TokenCounts {
  input: number;
  output: number;
  cached: number;
}

export interface SessionView extends wire.SessionView {
  /** The newest prompt that had its turn, however it ended. */
  finished: number | null;
  tokens: TokenCounts;
}

export interface SessionList extends wire.SessionList {
  sessions: SessionView[];
}

export interface SubscribedMessage extends wire.SubscribedMessage {
  session: SessionView;
}

export type ToClient = Exclude<wire.ToClient, { type: "subscribed" }> | SubscribedMessage;

/** An image as a prompt, or what tells of one, has it. */
export interface Attached {
  id: string;
  name: string;
  type: string;
  size: number;
  width: number;
  height: number;
}

export interface PromptView extends wire.PromptView {
  attachments: Attached[];
  tokens: TokenCounts;
}

export interface PromptList extends wire.PromptList {
  prompts: PromptView[];
}

export interface PromptQueuedEvent extends wire.PromptQueuedEvent {
  attachments?: Attached[];
}

export interface PromptFinishedEvent extends wire.PromptFinishedEvent {
  tokens?: TokenCounts | null;
}

export interface ArtifactCreatedEvent extends wire.ArtifactCreatedEvent {
  file?: Attached | null;
}

export interface ArtifactView extends wire.ArtifactView {
  file: AttachmentView | null;
}

export interface ArtifactList extends wire.ArtifactList {
  artifacts: ArtifactView[];
}

export type ServerEvent =
  | Exclude<wire.ServerEvent, { type: "prompt_queued" | "prompt_finished" | "artifact_created" }>
  | PromptQueuedEvent
  | PromptFinishedEvent
  | ArtifactCreatedEvent;

export interface NewPrompt extends Omit<wire.NewPrompt, "author"> {
  author?: wire.AuthorView | null;
  /** Complete uploads of one's own. With one the text may be empty. */
  attachments?: string[];
}

export interface PromptMessage extends Omit<wire.PromptMessage, "author"> {
  author?: wire.AuthorView | null;
  attachments?: string[];
}

export type FromClient = Exclude<wire.FromClient, { type: "prompt" }> | PromptMessage;

export interface NewAttachment {
  name: string;
  type: string;
  size: number;
}

export interface AttachmentView {
  id: string;
  name: string;
  type: string;
  size: number;
  ready: boolean;
  partBytes: number;
  width: number | null;
  height: number | null;
}

export interface SignInCode {
  code: string;
  expiresAt: string;
}

export interface SignIn {
  code: string;
}

export interface Me {
  name: string;
  role: "owner" | "member";
  displayName: string;
  email: string | null;
  createdAt: string;
  via: "cookie" | "token";
}

/** What is left out stays as it is; what is null is taken away. */
export interface ProfileChange {
  displayName?: string | null;
  email?: string | null;
}

export interface InboxRow {
  session: SessionView;
  unread: boolean;
}

export interface Inbox {
  needsAttention: InboxRow[];
  inProgress: InboxRow[];
  recent: InboxRow[];
  /** More need attention than are listed. */
  more: boolean;
}

export interface ParticipantView {
  user: string;
  displayName: string;
  prompts: number;
  lastSeenAt: string | null;
}

export interface ParticipantList {
  participants: ParticipantView[];
}

export interface RememberedRepository {
  url: string;
  name: string;
  label: string;
  branch: string | null;
  usedAt: string;
}

/** Its earlier name. */
export type KnownRepository = RememberedRepository;

export interface RepositoryList {
  repositories: RememberedRepository[];
}
