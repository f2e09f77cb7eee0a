/** What the reader asks for, carried out over the session's connection; what fails is said once. */

import * as api from "../api";
import type { SessionConnection } from "../connection";
import type { SessionView } from "../protocol";
import { attempt } from "../shell/attempt";
import { rename, restore } from "../shell/session-actions";
import type { SessionActions } from "./actions";
import { session } from "./state";

export function actionsOn(connection: SessionConnection): SessionActions {
  const { id } = connection;
  const shown = () => session(connection.state.peek());
  return {
    // The reader comes near the top again, and it is asked again.
    loadOlder: () => void connection.loadOlder().catch(api.unlessRefused),
    send: (turn) => void connection.send(turn),
    sendAgain: (requestId) => connection.sendAgain(requestId),
    dismiss: (requestId) => connection.dismiss(requestId),
    cancelPrompt: (prompt) => void attempt("cancel the prompt", () => connection.cancel(prompt)),
    stop: () => void attempt("stop", () => connection.stop()),
    resumeQueue: () => void attempt("resume the queue", () => connection.resume()),
    typing: () => connection.typing(),
    rename: (title) => withSession((view) => renamed(view, title)),
    restore: () => withSession(restore),
    cancelSession: () => void attempt("cancel the session", () => show(api.cancelSession(id))),
    saveFiles: () => void attempt("save the files", () => show(api.saveFiles(id))),
  };

  /** Shown at once, and taken back if it is refused. */
  async function renamed(view: SessionView, title: string): Promise<void> {
    connection.show({ ...view, title });
    if (!(await rename(view, title))) {
      withSession((now) => connection.show({ ...now, title: view.title }));
    }
  }

  async function show(asked: ReturnType<typeof api.saveFiles>): Promise<void> {
    connection.show(await asked);
  }

  function withSession(act: (view: SessionView) => unknown): void {
    const view = shown();
    if (view !== null) {
      void act(view);
    }
  }
}
