/** Tokens that are still good, each with its scope, use and end. */
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { Badge } from "../design/badge";
import { Button } from "../design/button";
import { Confirm } from "../design/confirm";
import { toast } from "../design/toast";
import type { AccessTokenView } from "../protocol";
import { attempt } from "../shell/attempt";
import { date, lastUsed, meaning } from "./token-words";

interface Props {
  tokens: readonly AccessTokenView[];
  onRevoked: (id: string) => void;
}

export function TokenRows({ tokens, onRevoked }: Props) {
  const [asking, setAsking] = useState<AccessTokenView | null>(null);
  const [gone, setGone] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  // What had the focus is gone with its row.
  useEffect(() => {
    if (gone !== null) list.current?.focus();
  }, [gone]);
  const revoked = (id: string) => {
    setAsking(null);
    setGone(id);
    onRevoked(id);
  };
  return (
    <>
      <ul ref={list} class="vault-rows" aria-label="Your tokens" tabIndex={-1}>
        {tokens.map((token) => (
          <li key={token.id} class="vault-row">
            <Described token={token} />
            <Button
              kind="quiet"
              aria-label={`Revoke ${token.name}`}
              onClick={() => setAsking(token)}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {asking && (
        <Revocation
          token={asking}
          onRevoked={() => revoked(asking.id)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

function Described({ token }: { token: AccessTokenView }) {
  return (
    <div class="vault-row-main">
      <span class="vault-row-head">
        <span class="vault-title">{token.name}</span>
        <Badge tip={meaning(token.scope)}>{token.scope}</Badge>
      </span>
      <span class="settings-row-text">
        Made {date(token.createdAt)}, {lastUsed(token)}, ends {date(token.expiresAt)}
      </span>
    </div>
  );
}

interface RevocationProps {
  token: AccessTokenView;
  onRevoked: () => void;
  onClose: () => void;
}

function Revocation({ token, onRevoked, onClose }: RevocationProps) {
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    const done = await attempt(`revoke ${token.name}`, async () => {
      await api.revokeAccessToken(token.id);
      onRevoked();
    });
    if (done) toast(`${token.name} is revoked`);
    else setBusy(false);
  };
  return (
    <Confirm
      title={`Revoke ${token.name}?`}
      text="Whatever uses it is refused from now on. It can't be brought back."
      action="Revoke"
      danger
      busy={busy}
      onConfirm={() => void revoke()}
      onClose={onClose}
    />
  );
}
