/** Before any page: who is there? Until that is known there is a still frame, not a flash. */
import { ServerCrash } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../design/button";
import { Empty } from "../design/empty";
import { SignInPage } from "../sign-in/page";
import { load, start } from "./workspace";

const AGAIN_MS = 4_000;

export function Gate({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    if (start.peek() === "loading") void load();
  }, []);
  switch (start.value) {
    case "loading":
      return <div class="gate-loading" role="status" aria-label="Loading Outboard" />;
    case "signed-out":
      return <SignInPage />;
    case "failed":
      return <Unreachable />;
    case "ready":
      return <>{children}</>;
  }
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
