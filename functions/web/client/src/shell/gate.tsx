/** Before any page: who is there? Until that is known nothing is shown, so nothing flashes. */
import { ServerCrash } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { SignInPage } from "../sign-in/page";
import { SIGN_IN } from "../sign-in/wanted";
import { load, start } from "./workspace";

const AGAIN_MS = 4_000;

export function Gate({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    if (!isSignIn()) void load();
  }, []);
  switch (start.value) {
    case "loading":
      return isSignIn() ? <SignInPage /> : <Loading />;
    case "signed-out":
      return <SignInPage />;
    case "failed":
      return <Unreachable />;
    case "ready":
      return <>{children}</>;
  }
}

/** A link that signs in does so whoever is signed in already. */
function isSignIn(): boolean {
  return location.pathname === SIGN_IN;
}

function Loading() {
  return <div role="status" aria-label="Loading Outboard" />;
}

/** Tries again by itself: the server may be starting. */
function Unreachable() {
  useEffect(() => {
    const timer = setTimeout(load, AGAIN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main class="gate">
      <Empty
        alone
        title="Outboard can't be reached"
        icon={ServerCrash}
        action={<Button onClick={() => void load()}>Try again</Button>}
      >
        The connection is down, or the server is not running. This page goes on as soon as it
        answers.
      </Empty>
    </main>
  );
}
