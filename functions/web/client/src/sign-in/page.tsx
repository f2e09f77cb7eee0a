/** Signing in: by the code in the address, or with words on how to get one. */
import { useEffect, useState } from "preact/hooks";
import { navigate } from "wouter-preact/use-browser-location";
import { Spinner } from "../design/spinner";
import { load } from "../shell/workspace";
import { CodeForm } from "./code-form";
import { HowToSignIn } from "./how-to";
import { redeem } from "./redeem";
import "./page.css";

export function SignInPage() {
  const [code] = useState(takeCode);
  const [refused, setRefused] = useState<string | null>(null);
  const [trying, setTrying] = useState(code !== "");
  useEffect(() => {
    document.title = "Sign in · Outboard";
    if (!code) return;
    void redeem(code).then((words) => {
      setRefused(words);
      setTrying(false);
      if (words === null) enter();
    });
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
      <CodeForm onSignedIn={enter} />
      <p class="sign-in-note">A link works once, for ten minutes. The login then lasts 30 days.</p>
    </>
  );
}

/** Out of the address at once, so that it is in no history. */
function takeCode(): string {
  if (location.pathname !== "/sign-in") return "";
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** To the page that was asked for, which never is the sign-in itself. */
function enter(): void {
  if (location.pathname === "/sign-in") navigate(destination(), { replace: true });
  void load();
}

/** `?to=/session/…`: a path of ours, whatever somebody wrote there. */
export function destination(): string {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) ? to : "/";
}
