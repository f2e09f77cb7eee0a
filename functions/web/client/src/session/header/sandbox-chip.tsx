/** The sandbox's status in the header; pressed, it tells the rest. */

import { StatusDot } from "../../design/badge";
import { Popover, useAnchored } from "../../design/popover";
import type { SessionView } from "../../protocol";
import { SandboxDetails } from "./sandbox-details";
import { sandboxWords } from "./sandbox-words";

export function SandboxChip({ session }: { readonly session: SessionView }) {
  const layer = useAnchored();
  const words = sandboxWords(session);
  return (
    <>
      <button
        ref={layer.anchor}
        type="button"
        class="sandbox-chip"
        aria-label={`Sandbox: ${words.label}`}
        aria-haspopup="dialog"
        {...layer.trigger}
      >
        <StatusDot tone={words.tone} live={words.live} hollow={words.hollow} />
        <span class="sandbox-chip-label">{words.label}</span>
      </button>
      <Popover of={layer} side="below-end" label="Sandbox" class="sandbox-popover">
        <SandboxDetails session={session} />
      </Popover>
    </>
  );
}
