/** The login ended while the page was open: what was written stays, and goes on after signing in. */
import { useEffect } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Dialog } from "../design/dialog";
import { CodeForm } from "../sign-in/code-form";
import { HowToSignIn } from "../sign-in/how-to";
import { refreshInbox } from "./inbox";
import { poll } from "./polling";
import { me, start } from "./workspace";

const PAUSE_MS = 3_000;

/** Once in the page. */
export function ExpiredLogin() {
  return api.signedOut.value && start.value === "ready" ? <Expired /> : null;
}

function Expired() {
  useEffect(() => {
    const polling = poll(lookAgain, PAUSE_MS);
    return polling.stop;
  }, []);
  const actions = (
    <Button kind="quiet" onClick={() => location.assign("/")}>
      Leave this page
    </Button>
  );
  return (
    <Dialog title="Your login has expired" insistent onClose={() => {}} actions={actions}>
      <p>Sign in again to go on. This page stays as it is, with everything you have written.</p>
      <HowToSignIn />
      <CodeForm onSignedIn={() => void lookAgain()} />
    </Dialog>
  );
}

/** A link of `./outboard open` signs in every tab of this browser; perhaps as somebody else. */
async function lookAgain(): Promise<void> {
  try {
    const who = await api.me();
    if (who.name !== me.value?.name) location.reload();
    api.signedOut.value = false;
    refreshInbox();
  } catch (error) {
    if (!(error instanceof api.ApiError)) throw error;
  }
}
