/** How one's command line gets here, and its token. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Confirm } from "../design/confirm";
import { Copy } from "../design/copy";
import { attempt } from "../shell/attempt";
import { me } from "../shell/workspace";

export function CommandLineSection() {
  const [token, setToken] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const who = me.value;
  if (!who) return null;
  const renew = async () => {
    setBusy(true);
    await attempt("renew the token", async () => {
      setToken((await api.renewToken(who.name)).token);
    });
    setBusy(false);
    setAsking(false);
  };
  return (
    <>
      <p class="settings-text">
        What is done here can be done by <code>./outboard</code>, too. On the machine that runs
        Outboard it works as it is; elsewhere it needs this address and a token of yours.
      </p>
      <div class="settings-form">
        <Copy text={`export OUTBOARD_URL=${location.origin}/api`} what="address" />
        {token && <NewToken token={token} />}
        <Button onClick={() => setAsking(true)}>Renew my token</Button>
      </div>
      {asking && (
        <Confirm
          title="Renew your token?"
          text={`The token you have now stops working at once, wherever it is used: in scripts, and in .outboard/users/${who.name}.token on the machine that runs Outboard.`}
          action="Renew"
          busy={busy}
          onConfirm={() => void renew()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function NewToken({ token }: { token: string }) {
  return (
    <div class="settings-token" role="status">
      <p class="settings-row-text">This is the only time that it is shown.</p>
      <Copy text={`export OUTBOARD_TOKEN=${token}`} what="token" />
    </div>
  );
}
