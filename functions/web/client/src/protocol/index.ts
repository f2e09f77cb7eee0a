/** The wire as the rest of the client knows it. */

export type * from "./pending";
export type {
  AuthorView,
  BootList,
  BootPhaseView,
  BootProgressEvent,
  BootView,
  BridgeEvent,
  CancelPromptMessage,
  DoneMessage,
  EntryView,
  ErrorMessage,
  ErrorView,
  FetchMessage,
  FrameMessage,
  Item,
  ModelList,
  ModelView,
  NewChoice,
  NewRepository,
  NewSandboxSettings,
  NewSession,
  NewUser,
  PageMessage,
  Participant,
  PongMessage,
  PromptAccepted,
  PromptAcceptedMessage,
  Rename,
  RepositoryView,
  SandboxSettingsView,
  SandboxView,
  SettingsInEffect,
  SettingsLevel,
  SettingsLevelList,
  SocketTicket,
  TimelinePage,
  TodoEvent,
  ToolEvent,
  ToolStatus,
  UserList,
  UserToken,
  UserView,
} from "./wire";

import type { ServerEvent } from "./pending";
import type { BridgeEvent } from "./wire";

/** What stands in a timeline. An older or a newer server may have others: they pass as unknown. */
export type TimelineEvent = BridgeEvent | ServerEvent;
