/**
 * Everything that changes a session's page, as one function: `receive(state, message)`.
 *
 * Frames may come twice, in any order and with holes. Those that continue what is loaded, at either
 * end, are folded into it; others are kept until their neighbours are there.
 */

import type { FrameMessage, PromptView, SessionView, SubscribedMessage } from "../../protocol";
import { join } from "./join";
import { accepted, dismissed, refused, sent, settled } from "./pending";
import type { Message, SessionState } from "./types";
import { append, type Loaded, nothingFrom } from "./window";

/** Slots that are kept although their neighbours are missing; others are fetched in their turn. */
const AHEAD = 1_000;

const NO_FRAMES: ReadonlyMap<number, FrameMessage> = new Map();

export const INITIAL: SessionState = {
  connection: { status: "connecting", error: null },
  view: null,
  viewedAt: 0,
  me: null,
  participants: [],
  loaded: null,
  loose: NO_FRAMES,
  tail: 0,
  prompts: new Map(),
  newest: 0,
  pending: [],
};

export function receive(state: SessionState, message: Message): SessionState {
  switch (message.type) {
    case "frame":
      return heard(state, [message], message.seq);
    case "page":
      return heard(state, message.frames, message.tail);
    case "pong":
      return heard(state, [], message.tail);
    case "subscribed":
      return subscribed(state, message);
    case "presence_update":
      return { ...state, participants: message.participants };
    case "prompt_accepted":
      return settled(accepted(state, message.requestId, message.prompt));
    case "sent":
      return sent(state, message.prompt);
    case "prompt_refused":
      return refused(state, message.requestId, message.message);
    case "dismissed":
      return dismissed(state, message.requestId);
    case "connection":
      return { ...state, connection: { status: message.status, error: message.error } };
    case "session":
      return viewed(state, message.session, message.asOf);
    case "prompts":
      return settled(listed(state, message.prompts));
    case "restarted":
      return { ...state, loaded: null, loose: NO_FRAMES };
    default:
      // Answers to requests, and what a newer server says.
      return state;
  }
}

function subscribed(state: SessionState, message: SubscribedMessage): SessionState {
  const { session, user, participants, frames, tail } = message;
  const first = frames[0]?.seq ?? tail + 1;
  const complete = (frames.at(-1)?.seq ?? tail) === tail;
  // The server reads the session first and the frames then: all that the view has is in these.
  const joined = {
    ...viewed(state, session, complete ? first - 1 : tail),
    me: user,
    participants,
    ...(state.loaded === null ? anchored(state.loose, first) : {}),
  };
  return heard(joined, frames, tail);
}

/** Here the page begins. What came in before and is far from it is fetched in its turn. */
function anchored(
  loose: SessionState["loose"],
  first: number,
): Pick<SessionState, "loaded" | "loose"> {
  const loaded = nothingFrom(first);
  return { loaded, loose: new Map([...loose].filter(([seq]) => isWanted(loaded, seq))) };
}

function heard(state: SessionState, frames: readonly FrameMessage[], tail: number): SessionState {
  const newest = Math.max(state.tail, tail);
  const fresh = frames.filter((frame) => isWanted(state.loaded, frame.seq));
  if (fresh.length === 0 && (state.loose.size === 0 || state.loaded === null)) {
    return newest === state.tail ? state : { ...state, tail: newest };
  }
  const loose = new Map([...state.loose, ...fresh.map((frame) => [frame.seq, frame] as const)]);
  if (state.loaded === null) {
    return { ...state, tail: newest, loose };
  }
  const loaded = inFront(behind(state.loaded, loose), loose);
  const kept = loose.size === 0 ? NO_FRAMES : loose;
  return settled({ ...state, tail: newest, loaded, loose: kept });
}

function isWanted(loaded: Loaded | null, seq: number): boolean {
  if (loaded === null) {
    return true;
  }
  const before = loaded.first - seq;
  const after = seq - loaded.last;
  return (before > 0 && before <= AHEAD) || (after > 0 && after <= AHEAD);
}

/** Takes what continues the newer end out of `loose`. */
function behind(loaded: Loaded, loose: Map<number, FrameMessage>): Loaded {
  let folded = loaded;
  for (let frame = taken(loose, folded.last + 1); frame; frame = taken(loose, folded.last + 1)) {
    folded = append(folded, frame);
  }
  return folded;
}

/** Takes what continues the older end out of `loose`. */
function inFront(loaded: Loaded, loose: Map<number, FrameMessage>): Loaded {
  const older: FrameMessage[] = [];
  const next = () => taken(loose, loaded.first - 1 - older.length);
  for (let frame = next(); frame; frame = next()) {
    older.push(frame);
  }
  if (older.length === 0) {
    return loaded;
  }
  const part = older.reduceRight(append, nothingFrom(loaded.first - older.length));
  return join(part, loaded);
}

function taken(loose: Map<number, FrameMessage>, seq: number): FrameMessage | undefined {
  const frame = loose.get(seq);
  loose.delete(seq);
  return frame;
}

function viewed(state: SessionState, view: SessionView, asOf: number): SessionState {
  return { ...state, view, viewedAt: asOf, newest: Math.max(state.newest, view.prompts) };
}

function listed(state: SessionState, prompts: readonly PromptView[]): SessionState {
  const newest = Math.max(state.newest, ...prompts.map(({ number }) => number));
  const more = prompts.map((prompt) => [prompt.number, prompt] as const);
  return { ...state, newest, prompts: new Map([...state.prompts, ...more]) };
}
