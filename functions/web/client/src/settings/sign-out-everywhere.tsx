/** Ends every login of one's own, wherever it is. */
import { useState } from "preact/hooks";
import { Button } from "../design/button";
import { Dialog } from "../design/dialog";
import { leaveEverywhere } from "../shell/sign-out";
import "./vault.css";

export function SignOutEverywhere() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <h3 class="settings-subtitle">Every browser</h3>
      <p class="settings-text">
        For when a browser of yours is lost, or a link of yours was seen by somebody else.
      </p>
      <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      {asking && <Question onClose={() => setAsking(false)} />}
    </>
  );
}

function Question({ onClose }: { onClose: () => void }) {
  const [tokens, setTokens] = useState(false);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    if (!(await leaveEverywhere(tokens))) setBusy(false);
  };
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="danger" busy={busy} autoFocus onClick={() => void confirm()}>
        Sign out everywhere
      </Button>
    </>
  );
  return (
    <Dialog title="Sign out everywhere?" onClose={onClose} actions={actions}>
      <p>
        Every browser that is signed in as you is signed out, this one too. Links that you have made
        and nobody has used are void, and all that is watched live as you is cut off. Sessions
        themselves go on.
      </p>
      <label class="vault-check">
        <input
          type="checkbox"
          checked={tokens}
          onChange={(event) => setTokens(event.currentTarget.checked)}
        />
        <span>Revoke my access tokens, too</span>
      </label>
      <p class="vault-check-said">
        Without this, programs that have one go on. The token of your command line stays in any
        case: renew that under Command line.
      </p>
    </Dialog>
  );
}
