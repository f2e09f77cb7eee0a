/** What is not as usual: no connection, or no real model. */
import { CloudOff, FlaskConical } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { signedOut } from "../api";
import { Icon } from "../design/icon";
import { inboxError } from "./inbox";
import { models } from "./workspace";

export function ConnectionMark() {
  const offline = useOffline();
  const lost = inboxError.value !== null && !signedOut.value;
  const words = offline ? "You are offline" : lost ? "Reconnecting..." : null;
  return (
    <p class={words ? "connection-mark" : "visually-hidden"} role="status">
      {words && <Icon of={CloudOff} size={14} />}
      {words}
    </p>
  );
}

export function DemoMark() {
  if (!models.value?.demo) return null;
  return (
    <p class="demo-mark">
      <Icon of={FlaskConical} size={14} />
      The demo model answers
    </p>
  );
}

function useOffline(): boolean {
  const [offline, setOffline] = useState(navigator.onLine === false);
  useEffect(() => {
    const update = () => setOffline(navigator.onLine === false);
    window.addEventListener("online", update);
    window.addEventListener("offline", update);
    return () => {
      window.removeEventListener("online", update);
      window.removeEventListener("offline", update);
    };
  }, []);
  return offline;
}
