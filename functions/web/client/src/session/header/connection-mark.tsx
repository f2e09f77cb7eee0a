/** A small mark while the page does not hear the server; nothing while it does. */

import { Spinner } from "../../design/spinner";
import type { ConnectionStatus } from "../state";

const WORDS: Partial<Record<ConnectionStatus, string>> = {
  reconnecting: "Reconnecting",
  offline: "Offline",
};

export function ConnectionMark({ status }: { readonly status: ConnectionStatus }) {
  const words = WORDS[status];
  return (
    <span class="session-connection" role="status">
      {words !== undefined && (
        <>
          <Spinner size={12} />
          <span class="connection-words">{words}</span>
        </>
      )}
    </span>
  );
}
