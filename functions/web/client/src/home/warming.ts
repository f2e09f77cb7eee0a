/**
 * The session that is being prepared while its first prompt is written.
 *
 * It is opened once, follows what is chosen, and is the one that the prompt goes to. Until then the
 * server shows it in no list, so a draft that is given up leaves nothing behind.
 */
import * as api from "../api";
import { keep, recall } from "../connection/tab";
import type { SessionView } from "../protocol";
import type { Work } from "./target";

export interface Choice {
  work: Work;
  model: string | null;
  effort: string | null;
}

/** What is asked of the server. */
export type Asks = Pick<typeof api, "createSession" | "choose" | "session">;

export interface Warming {
  /** Something was typed: opens the session, if there is none. */
  begin(choice: Choice): void;
  /** Another target or model; does nothing until something was typed. */
  choose(choice: Choice): void;
  /** The session, with this choice. Rejects with an `ApiError`. */
  open(choice: Choice): Promise<SessionView>;
  /** The session is somebody's now; the next draft gets another one. */
  release(): void;
}

/** Of this tab alone: two tabs write two prompts. */
export interface Memory {
  recall(): string | null;
  keep(id: string | null): void;
}

export function createWarming(asks: Asks, memory: Memory, newId: () => string): Warming {
  let session: Promise<SessionView> | null = null;
  let chosen: string | null = null;
  /** It did not work: not every further letter tries again. */
  let failed = false;

  /** One at a time, so that the last choice is the one that holds. */
  const follow = (next: Promise<SessionView>, choice: Choice) => {
    chosen = JSON.stringify(choice);
    session = next;
    next.catch(() => {
      if (session !== next) return;
      session = null;
      failed = true;
    });
  };

  const begin = (choice: Choice) => {
    if (!session) follow(opened(choice), choice);
  };

  const choose = (choice: Choice) => {
    const before = session;
    if (!before || JSON.stringify(choice) === chosen) return;
    follow(
      before.then(({ id }) => asks.choose(id, choiceOf(choice))),
      choice,
    );
  };

  const opened = async (choice: Choice): Promise<SessionView> => {
    const kept = await stillOurs(asks, memory.recall());
    if (kept) return asks.choose(kept, choiceOf(choice));
    const asked = { requestId: newId(), ...choiceOf(choice), warm: true };
    const created = await asks.createSession(asked);
    memory.keep(created.id);
    return created;
  };

  return {
    begin(choice) {
      if (!failed) begin(choice);
    },
    choose(choice) {
      failed = false;
      choose(choice);
    },
    async open(choice) {
      failed = false;
      begin(choice);
      choose(choice);
      return (await session) ?? opened(choice);
    },
    release() {
      session = null;
      chosen = null;
      memory.keep(null);
    },
  };
}

function choiceOf({ work, model, effort }: Choice) {
  return { ...work.asked, model, effort };
}

/** After a reload: unless something was asked of it meanwhile, or it is gone. */
async function stillOurs(asks: Asks, id: string | null): Promise<string | null> {
  if (id === null) return null;
  try {
    const { prompts, status } = await asks.session(id);
    return prompts === 0 && status === "created" ? id : null;
  } catch (error) {
    if (error instanceof api.ApiError && !error.transient) return null;
    throw error;
  }
}

const KEY = "outboard.warming";

export const tabMemory: Memory = {
  recall: () => recall(KEY),
  keep: (id) => keep(KEY, id),
};
