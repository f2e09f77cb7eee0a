/** Signing in: by the code in the address, or with words on how to get one. */
import { useEffect, useState } from "preact/hooks";
import { Spinner } from "../design/spinner";
import { load } from "../shell/workspace";
import { CodeForm } from "./code-form";
import { HowToSignIn } from "./how-to";
import { redeem } from "./redeem";
import "./page.css";

export const SIGN_IN = "/sign-in";

export function SignInPage() {
  const [code] = useState(takeCode);
  const [refused, setRefused] = useState<string | null>(null);
  const [trying, setTrying] = useState(code !== "");
  useEffect(() => {
    document.title = "Sign in · Outboard";
    const begin = async () => {
      const words = code ? await redeem(code) : null;
      setRefused(words);
      setTrying(false);
      // Without a code that works, who is signed in already may go on as well.
      if (location.pathname === SIGN_IN) await load();
    };
    void begin();
  }, [code]);
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <img class="sign-in-mark" src="/icon.svg" alt="" width="36" height="36" />
        <h1 class="sign-in-title">{trying ? "Signing you in" : "Sign in to Outboard"}</h1>
        {trying ? <Trying /> : <Ways refused={refused} />}
      </div>
    </main>
  );
}

function Trying() {
  return (
    <p class="sign-in-trying" role="status" aria-label="Signing you in">
      <Spinner size={18} />
    </p>
  );
}

function Ways({ refused }: { refused: string | null }) {
  return (
    <>
      {refused && (
        <p class="sign-in-refused" role="alert">
          {refused}
        </p>
      )}
      <HowToSignIn />
      <CodeForm onSignedIn={() => void load()} />
      <p class="sign-in-note">A link works once, for ten minutes. The login then lasts 30 days.</p>
    </>
  );
}

/** Out of the address at once, so that it is in no history. */
function takeCode(): string {
  if (location.pathname !== SIGN_IN) return "";
  const code = location.hash.slice(1); // of letters that no address changes
  if (code) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** After signing in. `?to=/session/…`: a path of ours, whatever somebody wrote there. */
export function destination(): string {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  return to.startsWith("/") && isHere(to) ? to : "/";
}

/** As the browser reads it, to whom `/\host` and `/⇥/host` are other hosts, too. */
function isHere(to: string): boolean {
  return (
    URL.canParse(to, location.origin) && new URL(to, location.origin).origin === location.origin
  );
}
