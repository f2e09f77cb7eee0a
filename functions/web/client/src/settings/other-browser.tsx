/** A link that signs another browser in, a phone's perhaps, that has no command line. */
import { useState } from "preact/hooks";
import * as api from "../api";
import { Button } from "../design/button";
import { Copy } from "../design/copy";
import { attempt } from "../shell/attempt";

export function OtherBrowser() {
  const [link, setLink] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    await attempt("make a link", async () => {
      const { code } = await api.newSignInCode();
      setLink(`${location.origin}/sign-in#${code}`);
    });
    setBusy(false);
  };
  return (
    <div class="settings-form">
      {link && <Copy text={link} what="link" />}
      <Button busy={busy} onClick={() => void make()}>
        {link ? "Make another link" : "Make a sign-in link"}
      </Button>
    </div>
  );
}
