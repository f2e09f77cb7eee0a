/** A token that has just been made: in this place alone, and gone with it. */
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../design/button";
import { Copy } from "../design/copy";
import type { AccessTokenCreated } from "../protocol";

interface Props {
  made: AccessTokenCreated;
  onDone: () => void;
}

export function NewToken({ made, onDone }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div class="settings-card vault-new">
      <h3 ref={title} class="vault-new-title" tabIndex={-1}>
        {made.token.name} is made. Copy it now.
      </h3>
      <p class="settings-row-text">
        This is the only time that it is shown; when you leave this page it is gone from here.
      </p>
      <Copy text={made.secret} what="token" />
      <Button onClick={onDone}>I have copied it</Button>
    </div>
  );
}
