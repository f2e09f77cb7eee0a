/** Signing in: by the code in the address, or with words on how to get one. */
import { useEffect, useState } from "preact/hooks";
import { Spinner } from "../design/spinner";
import { load } from "../shell/workspace";
import { CodeForm } from "./code-form";
import { HowToSignIn } from "./how-to";
import { problemWords } from "./problems";
import { Providers } from "./providers";
import { redeem } from "./redeem";
import { SIGN_IN, takeWanted } from "./wanted";
import "./page.css";

export function SignInPage() {
  const [code] = useState(takeCode);
  const [refused, setRefused] = useState<string | null>(() => atSignIn(problemWords));
  const [trying, setTrying] = useState(code !== "");
  useEffect(() => {
    document.title = "Sign in · Outboard";
    const begin = async () => {
      if (code) setRefused(await redeem(code));
      setTrying(false);
      // Without a code that works, who is signed in already may go on as well.
      await atSignIn(load);
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
      <Providers />
      <HowToSignIn />
      <CodeForm onSignedIn={() => void load()} />
      <p class="sign-in-note">A link works once, for ten minutes. The login then lasts 30 days.</p>
    </>
  );
}

/** Out of the address at once, so that it is in no history; where to go from here is in it then. */
function takeCode(): string {
  return (
    atSignIn(() => {
      const code = location.hash.slice(1); // of letters that no address changes
      if (!code) return null;
      const to = takeWanted();
      const search = to === null ? location.search : `?to=${encodeURIComponent(to)}`;
      history.replaceState(history.state, "", location.pathname + search);
      return code;
    }) ?? ""
  );
}

/** Every page is the sign-in while nobody is signed in: its address says something else then. */
function atSignIn<Value>(read: () => Value): Value | null {
  return location.pathname === SIGN_IN ? read() : null;
}
