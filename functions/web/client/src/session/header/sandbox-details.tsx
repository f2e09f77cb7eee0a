/** Behind the header's sandbox: what its status means, how its boot went, what went wrong, how long it has. */

import { useEffect, useState } from "preact/hooks";
import * as api from "../../api";
import { Skeleton } from "../../design/skeleton";
import { sandboxStatus } from "../../design/status";
import type { BootView, SessionView } from "../../protocol";
import { BootPhases } from "../details/boot-phases";
import { until } from "../format";
import { Moment } from "../moment";
import "./sandbox-details.css";

export function SandboxDetails({ session }: { readonly session: SessionView }) {
  const { sandbox } = session;
  const status = sandboxStatus(sandbox.status);
  return (
    <div class="sandbox-details">
      <p class="sandbox-details-title">{status.label}</p>
      <p class="sandbox-details-meaning">{status.meaning}</p>
      {sandbox.error !== null && <p class="sandbox-details-error">{sandbox.error}</p>}
      <LastBoot session={session} />
      <dl class="sandbox-details-facts">
        {sandbox.expiresAt !== null && (
          <Fact name="Ends">{until(sandbox.expiresAt, Date.now())}</Fact>
        )}
        <Fact name="Last saved">
          {sandbox.savedAt === null ? "not yet" : <Moment at={sandbox.savedAt} />}
        </Fact>
        {session.retryAt !== null && (
          <Fact name="Next start">
            after <Moment at={session.retryAt} />
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Asked for again whenever the boot has come a phase further. */
function LastBoot({ session: { id, sandbox } }: { readonly session: SessionView }) {
  const [boot, setBoot] = useState<BootView | null | "loading">("loading");
  const stand = `${sandbox.attempt}/${sandbox.status}/${sandbox.phase}/${sandbox.repository}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stand` says when there is news.
  useEffect(() => {
    const end = new AbortController();
    api.boots(id, 1, end.signal).then(
      ({ boots }) => setBoot(boots[0] ?? null),
      () => !end.signal.aborted && setBoot(null),
    );
    return () => end.abort();
  }, [id, stand]);
  if (boot === "loading") {
    return <Skeleton lines={3} label="Loading the boot" />;
  }
  return boot === null ? null : <BootPhases boot={boot} current={sandbox} />;
}
