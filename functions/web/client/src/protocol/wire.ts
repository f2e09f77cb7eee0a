/** Generated from shared/protocol by `make wire`. Never edited. */

export type Scope = "read" | "write" | "admin";
export type Identifier = string;
/**
 * @maxItems 6
 */
export type AttachmentIds = Identifier[];
export type PersonName = string;
export type Email = string;
export type PhaseStatus = "started" | "completed" | "failed";
export type BranchName = string;
export type BridgeEvent =
  | BootProgressEvent
  | ReadyEvent
  | BootCompletedEvent
  | FatalEvent
  | PromptStartedEvent
  | TextEvent
  | TextDeltaEvent
  | ReasoningEvent
  | ToolEvent
  | StepFinishedEvent
  | TodoEvent
  | RetryingEvent
  | WarnedEvent
  | CommittedEvent
  | PushedEvent
  | ChangesUpdatedEvent
  | ExecutionCompleteEvent;
export type ToolStatus = "pending" | "running" | "completed" | "error";
export type Name = string;
export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "type_changed" | "unmerged" | "submodule";
export type Render = "renderable" | "binary" | "too_large" | "metadata_only";
export type Cores = number;
export type Description = string;
export type Effort = string;
export type EnvironmentName = string;
export type Url = string;
export type FileName = string;
export type FinalBuffer = number;
export type FromClient =
  | SubscribeMessage
  | PromptMessage
  | CancelPromptMessage
  | StopMessage
  | ResumeQueueMessage
  | TypingMessage
  | PresenceMessage
  | PingMessage
  | FetchMessage;
export type ModelId = string;
export type Inactivity = number;
export type State = "open" | "closed" | "merged";
export type Lifetime = number;
export type Via = "cookie" | "token";
export type Mebibytes = number;
export type Returned = string;
export type Target = string;
export type ScopeName = "global" | "repository" | "environment";
export type Word = string;
export type Port = number;
/**
 * @maxItems 10
 */
export type Ports = Port[];
export type ServerEvent =
  | PromptQueuedEvent
  | PromptDispatchedEvent
  | PromptFinishedEvent
  | StopRequestedEvent
  | SessionStatusChangedEvent
  | SandboxSpawningEvent
  | SandboxStatusChangedEvent
  | SnapshotSavedEvent
  | TunnelsOpenedEvent
  | QueueHeldEvent
  | QueueResumedEvent
  | TitleChangedEvent
  | ArtifactCreatedEvent
  | PullRequestToldEvent
  | PullRequestOfferedEvent;
export type SignInProblem = "conflict" | "declined" | "forbidden" | "not_found" | "unauthenticated" | "unavailable";
export type ToClient =
  | SubscribedMessage
  | FrameMessage
  | PageMessage
  | PresenceUpdateMessage
  | PromptAcceptedMessage
  | DoneMessage
  | PongMessage
  | ErrorMessage;

/**
 * The only time that `secret` is shown: it is the token.
 */
export interface AccessTokenCreated {
  token: AccessTokenView;
  secret: string;
}
export interface AccessTokenView {
  id: string;
  name: string;
  scope: Scope;
  createdAt: string;
  expiresAt: string;
  lastUsed: string | null;
}
export interface AccessTokenList {
  tokens: AccessTokenView[];
}
/**
 * Where the browser goes now.
 */
export interface AccountDeparture {
  address: string;
}
/**
 * `offered`: where an account may be connected.
 */
export interface AccountList {
  accounts: AccountView[];
  offered: string[];
}
/**
 * `tokens`: whether we can act for this person there; `ended` means that it is over.
 */
export interface AccountView {
  provider: string;
  login: string;
  tokens: "kept" | "ended" | "none";
}
export interface ArtifactCreatedEvent {
  type: "artifact_created";
  id: string;
  kind: string;
  url?: string | null;
  title?: string;
  metadata?: {
    [k: string]: string;
  };
  file?: Attached | null;
}
/**
 * An image as a prompt, or what tells of one, has it.
 */
export interface Attached {
  id: string;
  name: string;
  type: string;
  size: number;
  width: number;
  height: number;
}
export interface ArtifactList {
  artifacts: ArtifactView[];
}
export interface ArtifactView {
  id: string;
  kind: string;
  title: string;
  url: string | null;
  metadata: {
    [k: string]: string;
  };
  file: AttachmentView | null;
  createdAt: string;
}
/**
 * `ready`: all of it is here, is what it was said to be, and how large it is is known.
 */
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
/**
 * Whom git names as the author of what comes of a prompt.
 */
export interface AuthorView {
  name: PersonName;
  email: Email;
}
/**
 * What was still under way when the harness was ready is done: the agent may write.
 */
export interface BootCompletedEvent {
  type: "boot_completed";
}
/**
 * The newest attempt first.
 */
export interface BootList {
  boots: BootView[];
}
/**
 * One attempt. A time that is null has not come, or will not any more.
 */
export interface BootView {
  attempt: number;
  boot: string;
  status: string | null;
  phase: string | null;
  startedAt: string | null;
  launchedAt: string | null;
  connectedAt: string | null;
  readyAt: string | null;
  endedAt: string | null;
  retiredAt: string | null;
  ending: string | null;
  error: string | null;
  phases: BootPhaseView[];
}
/**
 * How a phase ended: `completed`, perhaps with a warning, or `failed`.
 */
export interface BootPhaseView {
  phase: string;
  status: string;
  repository: string | null;
  elapsedMs: number;
  warning: string | null;
  error: string | null;
  outputTail: string | null;
}
/**
 * A phase of the boot began or ended. A completed one may carry a warning.
 */
export interface BootProgressEvent {
  type: "boot_progress";
  phase: string;
  status: PhaseStatus;
  repository?: string | null;
  elapsedMs?: number;
  warning?: string | null;
  error?: string | null;
  outputTail?: string | null;
}
export interface BranchList {
  branches: BranchView[];
  asOf: string | null;
}
export interface BranchView {
  name: string;
  commit: string;
}
/**
 * The harness takes turns.
 *
 * `complete`: the boot is over, too. Else the agent may read, what would write waits, and
 * `boot_completed` follows.
 */
export interface ReadyEvent {
  type: "ready";
  complete?: boolean;
  harness?: string;
  runtimeVersion?: string;
  isolation?: string;
}
/**
 * The bridge cannot go on: the boot failed in the last phase that it named.
 */
export interface FatalEvent {
  type: "fatal";
  error: string;
  kind?: string;
}
export interface PromptStartedEvent {
  type: "prompt_started";
  prompt: number;
}
/**
 * The agent's words. `text` is the whole part so far: a later one replaces an earlier one.
 */
export interface TextEvent {
  type: "text";
  prompt: number;
  part: string;
  text: string;
  final?: boolean;
}
/**
 * More of a text part: append. A final `Text` repeats the whole.
 */
export interface TextDeltaEvent {
  type: "text_delta";
  prompt: number;
  part: string;
  delta: string;
}
export interface ReasoningEvent {
  type: "reasoning";
  prompt: number;
  part: string;
  text: string;
}
/**
 * A tool call, each time its status changes or a running one shows more output.
 */
export interface ToolEvent {
  type: "tool";
  prompt: number;
  call: string;
  tool: string;
  status: ToolStatus;
  title?: string;
  input?: {
    [k: string]: unknown;
  };
  output?: string;
  error?: string | null;
  exitCode?: number | null;
}
/**
 * One model call ended. Tokens and dollars are of this step alone.
 */
export interface StepFinishedEvent {
  type: "step_finished";
  prompt: number;
  cost?: number;
  tokens?: {
    [k: string]: number;
  };
}
export interface TodoEvent {
  type: "todo";
  prompt: number;
  items?: {
    [k: string]: string;
  }[];
}
/**
 * The model refused for now; the harness will ask again.
 */
export interface RetryingEvent {
  type: "retrying";
  prompt: number;
  attempt: number;
  reason: string;
}
export interface WarnedEvent {
  type: "warning";
  message: string;
  scope?: string;
}
/**
 * What the agent had left uncommitted is now a commit of the prompt's author.
 */
export interface CommittedEvent {
  type: "committed";
  prompt: number;
  repository: string;
  commit: string;
  files: number;
}
/**
 * The session branch is on the remote, at this commit.
 */
export interface PushedEvent {
  type: "pushed";
  prompt: number;
  repository: Name;
  branch: Name;
  commit: Name;
}
/**
 * There is a new comparison of the files with where the session began: see `changes`.
 */
export interface ChangesUpdatedEvent {
  type: "changes_updated";
  prompt: number;
  revision: Name;
  files: number;
  additions: number;
  deletions: number;
  repositories: number;
}
/**
 * Exactly one per prompt, from the bridge alone, after commit and push are settled.
 *
 * `cost` is what this prompt cost in dollars, whole, and `tokens` what its models read and wrote;
 * a bridge from before they were summed up tells none. `branch` and `commit` are null when nothing
 * was pushed because nothing changed.
 */
export interface ExecutionCompleteEvent {
  type: "execution_complete";
  prompt: number;
  status: "completed" | "failed" | "stopped";
  error?: string | null;
  cost?: number;
  tokens?: TokenCounts;
  branch?: Name | null;
  commit?: Name | null;
  marked?: boolean;
}
/**
 * `input` was read anew, `cached` from the provider's cache; `output` includes reasoning.
 */
export interface TokenCounts {
  input: number;
  output: number;
  cached: number;
}
export interface CancelPromptMessage {
  type: "cancel_prompt";
  requestId: Identifier;
  prompt: number;
}
/**
 * Of all files, also of those that are not listed, as far as lines were counted.
 */
export interface ChangeTotals {
  files: number;
  additions: number;
  deletions: number;
}
/**
 * `additions` and `deletions` are null where lines are not counted. `id` names its patch.
 */
export interface ChangedFile {
  id: string;
  path: string;
  oldPath: string | null;
  status: FileStatus;
  additions: number | null;
  deletions: number | null;
  render: Render;
}
/**
 * `base`: the commit it is compared with; null: it had none. `head`: what is checked out.
 *
 * `left_out`: how many more files changed than are listed. `error`: why nothing is known of it.
 */
export interface ChangedRepository {
  name: string;
  base: string | null;
  head: string | null;
  files: ChangedFile[];
  leftOut: number;
  error: string | null;
}
/**
 * `revision` is null before the first comparison. `prompt`: the newest whose work is in it.
 *
 * `error`: why the last comparison failed; what is shown is the one before it. `truncated`: files
 * or patches were left out for their number or size.
 */
export interface ChangesView {
  revision: string | null;
  comparedAt: string | null;
  prompt: number | null;
  repositories: ChangedRepository[];
  totals: ChangeTotals;
  truncated: boolean;
  error: string | null;
}
/**
 * A request without an answer of its own was carried out.
 */
export interface DoneMessage {
  type: "done";
  requestId: string;
}
/**
 * One frame of the timeline. `events` are the shapes of `shared.protocol.events`.
 */
export interface EntryView {
  seq: number;
  at: string;
  attempt: number | null;
  events: {
    [k: string]: unknown;
  }[];
}
/**
 * All of it. `version` is the one that was read.
 */
export interface EnvironmentChange {
  version: Identifier;
  name: EnvironmentName;
  description?: Description;
  /**
   * @minItems 1
   * @maxItems 10
   */
  repositories: NewRepository[];
}
export interface NewRepository {
  url: Url;
  branch?: BranchName | null;
  label?: string;
}
/**
 * Also when it was gone already.
 */
export interface EnvironmentDeleted {
  id: string;
}
/**
 * By name.
 */
export interface EnvironmentList {
  environments: EnvironmentView[];
}
export interface EnvironmentView {
  id: string;
  name: string;
  description: string;
  repositories: RepositoryView[];
  version: string;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
  updatedBy: string;
}
export interface RepositoryView {
  url: string;
  name: string;
  branch: string | null;
  label: string;
  pushedBranch: string | null;
  pushedCommit: string | null;
}
export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
  requestId: string | null;
}
/**
 * `code` is stable: branch on it, never on the message.
 */
export interface ErrorView {
  code: string;
  message: string;
  field?: string | null;
}
/**
 * A piece of the timeline: what follows `after`, or the page before `before`.
 */
export interface FetchMessage {
  type: "fetch";
  after?: number | null;
  before?: number | null;
  limit?: number;
}
/**
 * A unified diff of one file, without secrets. Empty where there is none to show.
 */
export interface FilePatch {
  revision: string;
  file: string;
  patch: string;
}
/**
 * A host that has not answered.
 *
 * `listed_at`: what is listed of it is from then; null: nothing is. `retry_at`: not to be asked
 * again before; null where the host did not say.
 */
export interface ForgeProblem {
  host: string;
  message: string;
  listedAt: string | null;
  retryAt: string | null;
}
/**
 * Of the hosts that answer; those that do not are in `problems`.
 */
export interface ForgeRepositoryList {
  repositories: ForgeRepositoryView[];
  asOf: string | null;
  problems: ForgeProblem[];
}
export interface ForgeRepositoryView {
  url: string;
  fullName: string;
  description: string;
  defaultBranch: string;
  private: boolean;
  archived: boolean;
}
export interface FrameMessage {
  type: "frame";
  seq: number;
  at: string;
  attempt: number | null;
  items: Item[];
}
/**
 * Something that happened, named as watchers know it.
 *
 * `sandbox_event` wraps what the bridge said in `event`; the server's own facts carry their fields
 * in `event` too, under their own name: `session_status`, `sandbox_spawning`, `sandbox_status`,
 * `snapshot_saved`, `tunnels`, `artifact_created`, `prompt_queued`, `prompt_dispatched`,
 * `prompt_finished`, `queue_held`, `queue_resumed`, `stop_requested`, `title`.
 */
export interface Item {
  type: string;
  event: {
    [k: string]: unknown;
  };
}
/**
 * `after`: the cursor to resume from; None: start with the newest page.
 */
export interface SubscribeMessage {
  type: "subscribe";
  after?: number | null;
}
/**
 * At most 32 KB on this wire; a longer one goes over HTTP.
 */
export interface PromptMessage {
  type: "prompt";
  requestId: Identifier;
  text: string;
  author?: AuthorView | null;
  model?: ModelId | null;
  effort?: Effort | null;
  attachments?: AttachmentIds;
}
/**
 * `prompt`: which one, so that a late stop does not hit the next; None: whatever runs.
 */
export interface StopMessage {
  type: "stop";
  requestId: Identifier;
  prompt?: number | null;
}
/**
 * What waits behind a turn that was cut off may go on.
 */
export interface ResumeQueueMessage {
  type: "resume_queue";
  requestId: Identifier;
}
/**
 * Somebody is about to ask for something: a sandbox that sleeps is woken.
 */
export interface TypingMessage {
  type: "typing";
}
export interface PresenceMessage {
  type: "presence";
  visible: boolean;
}
export interface PingMessage {
  type: "ping";
}
/**
 * Each session is in one of the lists; newest first.
 */
export interface Inbox {
  needsAttention: InboxRow[];
  inProgress: InboxRow[];
  recent: InboxRow[];
  more: boolean;
}
export interface InboxRow {
  session: SessionView;
  unread: boolean;
}
export interface SessionView {
  id: string;
  title: string;
  owner: string;
  environment: SessionEnvironment | null;
  status: string;
  sandbox: SandboxView;
  repositories: RepositoryView[];
  model: string;
  effort: string | null;
  settings: SandboxSettingsView;
  demo: boolean;
  prompts: number;
  unfinished: number;
  finished: number | null;
  outcome: string | null;
  running: number | null;
  held: boolean;
  retryAt: string | null;
  branch: string | null;
  commit: string | null;
  pullRequests: PullRequestView[];
  offers: PullRequestOfferView[];
  cost: number;
  tokens: TokenCounts;
  createdAt: string;
  updatedAt: string;
}
/**
 * The session has a copy of it, which nothing changes any more.
 */
export interface SessionEnvironment {
  id: string;
  name: string;
  deleted: boolean | null;
}
export interface SandboxView {
  status: string;
  attempt: number | null;
  phase: string | null;
  repository: string | null;
  error: string | null;
  expiresAt: string | null;
  tunnels: {
    [k: string]: string;
  };
  savedAt: string | null;
}
/**
 * null: nothing is chosen here, what is chosen above counts. No ports are a choice, too.
 */
export interface SandboxSettingsView {
  lifetimeSeconds: number | null;
  finalBufferSeconds: number | null;
  inactivitySeconds: number | null;
  tunnelPorts: number[] | null;
  cpuCores: number | null;
  memoryMib: number | null;
}
/**
 * `author`: in whose name Outboard opened it; null: somebody did at the host.
 */
export interface PullRequestView {
  repository: string;
  number: number;
  url: string;
  title: string;
  state: State;
  draft: boolean;
  head: string;
  base: string;
  headCommit: string;
  author: string | null;
  updatedAt: string;
}
/**
 * The host's page on which a person opens it.
 */
export interface PullRequestOfferView {
  repository: string;
  head: string;
  base: string;
  url: string;
}
export interface Me {
  name: string;
  role: "owner" | "member";
  displayName: string;
  email: string | null;
  createdAt: string;
  via: Via;
}
export interface ModelList {
  models: ModelView[];
  default: string;
  demo: boolean;
}
export interface ModelView {
  id: string;
  label: string;
  efforts: string[];
  defaultEffort: string | null;
}
export interface NewAccessToken {
  name: string;
  scope: Scope;
  days?: number;
}
/**
 * With what the browser came back.
 */
export interface NewAccount {
  state: Returned;
  code: Returned;
}
/**
 * `type` is what its bytes have to be: image/png, image/jpeg, image/webp or image/gif.
 */
export interface NewAttachment {
  name: FileName;
  type: string;
  size: number;
}
/**
 * Another target or model for a session that nothing was asked of yet. Null: as it was.
 */
export interface NewChoice {
  repositories?: NewRepository[] | null;
  environment?: Identifier | null;
  model?: ModelId | null;
  effort?: Effort | null;
}
/**
 * Some of a repository's secrets to an environment that has it; nobody sees them.
 */
export interface NewCopy {
  environment: Target;
  repository: Target;
  /**
   * @minItems 1
   * @maxItems 50
   */
  names: string[];
}
/**
 * `request_id` makes asking twice asking once.
 */
export interface NewEnvironment {
  requestId: Identifier;
  name: EnvironmentName;
  description?: Description;
  /**
   * @minItems 1
   * @maxItems 10
   */
  repositories: NewRepository[];
}
/**
 * Of the repositories that the session has, with the branches it was opened on.
 */
export interface NewEnvironmentOfSession {
  requestId: Identifier;
  name: EnvironmentName;
  description?: Description;
}
/**
 * `attachments`: complete uploads of one's own. With one the text may be empty.
 */
export interface NewPrompt {
  requestId: Identifier;
  text: string;
  author?: AuthorView | null;
  model?: ModelId | null;
  effort?: Effort | null;
  attachments?: AttachmentIds;
}
/**
 * `repository` by its name in the session; null: the only one that something was pushed to.
 *
 * `title` empty: the session's. `base` null: where the work began. `draft` null: as the settings
 * have it. Asking again while one is open changes its title and its body, each where it is given,
 * and nothing else.
 */
export interface NewPullRequest {
  repository?: string | null;
  title?: string;
  body?: string;
  base?: BranchName | null;
  draft?: boolean | null;
}
/**
 * A `.env` file's text, to be told what it would set. Nothing of it is kept.
 */
export interface NewReading {
  scope: ScopeName;
  target?: Target | null;
  text: string;
}
export interface NewRepositoryAbout {
  description?: string;
  /**
   * @maxItems 20
   */
  aliases?: Word[];
  /**
   * @maxItems 50
   */
  keywords?: Word[];
  environment?: Identifier | null;
}
/**
 * A fresh key for the secrets of a scope; null: for those of each.
 */
export interface NewRotation {
  scope?: ScopeName | null;
  target?: Target | null;
}
/**
 * All of one level. `version` is the one that was read; null: there was none.
 */
export interface NewSandboxSettings {
  settings: SandboxSettingsChoice;
  version?: Identifier | null;
}
/**
 * What may be chosen. What is shown may be older than these bounds, or the deployment's own.
 */
export interface SandboxSettingsChoice {
  lifetimeSeconds?: Lifetime | null;
  finalBufferSeconds?: FinalBuffer | null;
  inactivitySeconds?: Inactivity | null;
  tunnelPorts?: Ports | null;
  cpuCores?: Cores | null;
  memoryMib?: Mebibytes | null;
}
/**
 * From a sandbox: `attachment` is a complete upload of its own.
 */
export interface NewScreenshot {
  attachment: Identifier;
  title?: string;
}
/**
 * Either `values` by name, or `text` as a `.env` file has it. What has a value gets this one.
 *
 * Neither is in what this shows of itself.
 */
export interface NewSecrets {
  scope: ScopeName;
  target?: Target | null;
  values?: {
    [k: string]: string;
  } | null;
  text?: string | null;
}
/**
 * `request_id` makes asking twice asking once. Of repositories and environment one is given.
 */
export interface NewSession {
  requestId: Identifier;
  repositories?: NewRepository[] | null;
  environment?: Identifier | null;
  title?: string;
  model?: ModelId | null;
  effort?: Effort | null;
  warm?: boolean;
}
export interface NewUser {
  name: string;
}
/**
 * The answer to `fetch`; `more` when the 24 KB of an answer did not hold all of it.
 */
export interface PageMessage {
  type: "page";
  frames: FrameMessage[];
  tail: number;
  more: boolean;
}
export interface Participant {
  user: string;
  name: string;
  status: "active" | "idle";
}
/**
 * The owner first.
 */
export interface ParticipantList {
  participants: ParticipantView[];
}
export interface ParticipantView {
  user: string;
  displayName: string;
  prompts: number;
  lastSeenAt: string | null;
}
export interface PongMessage {
  type: "pong";
  tail: number;
}
export interface PresenceUpdateMessage {
  type: "presence_update";
  participants: Participant[];
}
/**
 * What is left out stays as it is; what is null is taken away.
 */
export interface ProfileChange {
  displayName?: PersonName | null;
  email?: Email | null;
}
export interface PromptAccepted {
  number: number;
  position: number | null;
}
export interface PromptAcceptedMessage {
  type: "prompt_accepted";
  requestId: string;
  prompt: number;
}
/**
 * The bridge was told to run it. `prompt_started` follows when it does.
 */
export interface PromptDispatchedEvent {
  type: "prompt_dispatched";
  prompt: number;
}
export interface PromptFinishedEvent {
  type: "prompt_finished";
  prompt: number;
  status: "completed" | "failed" | "stopped" | "cancelled";
  error?: string | null;
  branch?: string | null;
  commit?: string | null;
  cost?: number;
  tokens?: TokenCounts | null;
}
export interface PromptList {
  prompts: PromptView[];
  next: number | null;
}
export interface PromptView {
  number: number;
  status: string;
  author: AuthorView;
  user: string;
  text: string;
  attachments: Attached[];
  model: string;
  effort: string | null;
  createdAt: string;
  finishedAt: string | null;
  error: string | null;
  branch: string | null;
  commit: string | null;
  cost: number;
  tokens: TokenCounts;
}
export interface PromptQueuedEvent {
  type: "prompt_queued";
  prompt: number;
  author: string;
  text: string;
  model: string;
  attachments?: Attached[];
}
/**
 * By way of whom one may sign in here, at `/api/sign-in/<provider>`.
 */
export interface ProviderList {
  providers: string[];
}
export interface PullRequestList {
  pullRequests: PullRequestView[];
  offers: PullRequestOfferView[];
}
/**
 * The branch is there; a person opens the pull request at `url`, for want of their token.
 */
export interface PullRequestOfferedEvent {
  type: "pull_request_offered";
  repository: string;
  head: string;
  base: string;
  url: string;
}
/**
 * Either `pull_request` or, for want of the asker's token, `offer`.
 */
export interface PullRequestOutcome {
  outcome: "opened" | "updated" | "offered";
  pullRequest: PullRequestView | null;
  offer: PullRequestOfferView | null;
  warnings: string[];
}
/**
 * `own`: of what was asked about; else it is what everything has.
 */
export interface PullRequestPolicyInEffect {
  draft: boolean;
  label: string;
  own: boolean;
}
/**
 * How pull requests are wanted. `draft`: always. `label`: set when one is opened.
 */
export interface PullRequestPolicyView {
  draft?: boolean;
  label?: string;
}
/**
 * What a code host says of a pull request, when the session had not heard of it so.
 *
 * `author`: in whose name it was opened, by their user name. `first`: the session sees it for the
 * first time.
 */
export interface PullRequestToldEvent {
  type: "pull_request";
  repository: string;
  number: number;
  url: string;
  title: string;
  state: string;
  draft?: boolean;
  base?: string;
  author?: string | null;
  first?: boolean;
}
/**
 * A turn was interrupted: what waits behind it goes on when somebody says so.
 */
export interface QueueHeldEvent {
  type: "queue_held";
  reason: string;
}
export interface QueueResumedEvent {
  type: "queue_resumed";
  by: string;
}
/**
 * Everything that has finished up to this prompt is read.
 */
export interface ReadMark {
  prompt: number;
}
/**
 * The sandbox has been asked. `revision` is what there was before.
 */
export interface RefreshAsked {
  revision: string | null;
}
export interface RememberedRepository {
  url: string;
  name: string;
  label: string;
  branch: string | null;
  usedAt: string;
}
export interface Rename {
  title: string;
}
export interface RepositoryAboutView {
  repository: string;
  description: string;
  aliases: string[];
  keywords: string[];
  environment: string | null;
}
/**
 * Newest first.
 */
export interface RepositoryList {
  repositories: RememberedRepository[];
}
export interface Rotated {
  scopes: SecretList[];
}
/**
 * Those of one scope, sorted by name.
 */
export interface SecretList {
  scope: ScopeName;
  target: string | null;
  secrets: SecretView[];
}
export interface SecretView {
  name: string;
  updatedAt: string;
  updatedBy: string;
}
export interface SandboxSpawningEvent {
  type: "sandbox_spawning";
  attempt: number;
  resumed?: boolean;
  boot?: string;
}
export interface SandboxStatusChangedEvent {
  type: "sandbox_status";
  attempt: number;
  status: string;
  reason?: string | null;
  error?: string | null;
}
/**
 * It is among the session's artifacts, now or since it was handed in before.
 */
export interface ScreenshotTaken {
  id: string;
  title: string;
  file: Attached;
}
/**
 * `name`: what it would set, where that can be said; `problem`: why it would not.
 */
export interface SecretLine {
  line: number;
  name: string | null;
  replaces: boolean;
  problem: string | null;
}
/**
 * `problem`: what is wrong with all of it together. With any, nothing would be set.
 */
export interface SecretReading {
  lines: SecretLine[];
  problem: string | null;
}
export interface StopRequestedEvent {
  type: "stop_requested";
  prompt: number;
  by: string;
}
export interface SessionStatusChangedEvent {
  type: "session_status";
  status: string;
}
/**
 * A copy of the sandbox's files was kept, as the turn of `prompt` left them.
 */
export interface SnapshotSavedEvent {
  type: "snapshot_saved";
  attempt: number;
  prompt: number;
}
/**
 * Where ports of the sandbox are reached from outside. Empty: nowhere, any more.
 */
export interface TunnelsOpenedEvent {
  type: "tunnels";
  attempt: number;
  urls: {
    [k: string]: string;
  };
}
export interface TitleChangedEvent {
  type: "title";
  title: string;
}
export interface SessionList {
  sessions: SessionView[];
  next: string | null;
}
/**
 * What the next session on this repository gets; what is null is the template's own.
 */
export interface SettingsInEffect {
  repository: string;
  settings: SandboxSettingsView;
}
/**
 * What is chosen for everything, or for one repository.
 */
export interface SettingsLevel {
  repository: string | null;
  settings: SandboxSettingsView;
  version: string | null;
  changedBy: string | null;
  changedAt: string | null;
}
export interface SettingsLevelList {
  repositories: SettingsLevel[];
}
export interface SignIn {
  code: string;
}
/**
 * For a link that signs a browser in, once. The only time that it is shown.
 */
export interface SignInCode {
  code: string;
  expiresAt: string;
}
/**
 * The query of the page to which a browser comes back.
 */
export interface SignInRefused {
  problem: SignInProblem;
}
/**
 * All browsers of whoever asks. `tokens`: their personal access tokens end, too.
 */
export interface SignOutEverywhere {
  tokens?: boolean;
}
/**
 * `page_key`: on one machine, where ports share cookies, a login is good with it alone.
 *
 * The page keeps it, and sends it behind the mark of our pages: `web <key>`.
 */
export interface SignedIn {
  name: string;
  role: "owner" | "member";
  displayName: string;
  email: string | null;
  createdAt: string;
  via: Via;
  pageKey: string | null;
}
/**
 * Open `url` as it is: the ticket is in it.
 */
export interface SocketTicket {
  ticket: string;
  url: string;
  expiresAt: string;
}
/**
 * The snapshot: the session as it is now, and the slots that were asked for.
 *
 * `more`: there is more behind this page; fetch on from its last slot. `tail` is the newest slot
 * that was looked at.
 */
export interface SubscribedMessage {
  type: "subscribed";
  session: SessionView;
  user: string;
  participants: Participant[];
  frames: FrameMessage[];
  tail: number;
  more: boolean;
}
export interface TimelinePage {
  entries: EntryView[];
  tail: number;
}
export interface UserList {
  users: UserView[];
}
export interface UserView {
  name: string;
  role: "owner" | "member";
  createdAt: string;
}
/**
 * The only time that the token is shown.
 */
export interface UserToken {
  user: UserView;
  token: string;
}
