/** One's own tokens for programs: which there are, a new one, and their end. */
import { CloudOff, Ticket } from "lucide-preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { Skeleton } from "../design/skeleton";
import type { AccessTokenCreated, AccessTokenView } from "../protocol";
import { NewToken } from "./new-token";
import { TokenForm } from "./token-form";
import { TokenRows } from "./token-rows";
import "./vault.css";

export function AccessTokensSection() {
  const { tokens, error, reload, setTokens } = useTokens();
  const [made, setMade] = useState<AccessTokenCreated | null>(null);
  if (error !== null) {
    return (
      <Empty
        title="Your tokens could not be loaded"
        icon={CloudOff}
        tone="bad"
        action={<Button onClick={() => void reload()}>Try again</Button>}
      >
        {error}
      </Empty>
    );
  }
  if (!tokens) return <Skeleton shape="row" lines={4} label="Loading tokens" />;
  const revoked = (id: string) => {
    setTokens(tokens.filter((each) => each.id !== id));
    if (made?.token.id === id) setMade(null);
  };
  const create = (created: AccessTokenCreated) => {
    setMade(created);
    setTokens([...tokens, created.token]);
  };
  return (
    <>
      <p class="settings-text">
        A token lets a program act as you, within its scope and until its end. Send it as{" "}
        <code>Authorization: Bearer …</code>, or give it to <code>./outboard</code> as{" "}
        <code>OUTBOARD_TOKEN</code>.
      </p>
      {made && <NewToken key={made.token.id} made={made} onDone={() => setMade(null)} />}
      {tokens.length === 0 && <Empty title="No tokens" icon={Ticket} />}
      <TokenRows tokens={tokens} onRevoked={revoked} />
      <TokenForm onMade={create} />
    </>
  );
}

function useTokens() {
  const [tokens, setTokens] = useState<readonly AccessTokenView[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const reload = useCallback(async () => {
    setError(null);
    try {
      setTokens((await api.accessTokens()).tokens);
    } catch (failure) {
      if (!(failure instanceof api.ApiError)) throw failure;
      setError(failure.message);
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { tokens, error, reload, setTokens };
}
