/** A page whose code is not there (any more), or has a bug: the rest of the window goes on. */
import { TriangleAlert } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Button } from "../design/button";
import { Empty } from "../design/empty";

/** At another address it tries anew. */
export function Contained({ at, children }: { at: string; children: ComponentChildren }) {
  const [broken, again] = useErrorBoundary((error) => console.error(error));
  const brokenAt = useRef(at);
  useEffect(() => {
    if (broken !== undefined && brokenAt.current !== at) again();
    brokenAt.current = at;
  }, [at, broken, again]);
  if (broken === undefined) return <>{children}</>;
  return (
    <Empty
      title="This page can't be shown"
      icon={TriangleAlert}
      tone="bad"
      action={<Button onClick={() => location.reload()}>Load it again</Button>}
    >
      Outboard may have been updated since it was opened, or the connection is down.
    </Empty>
  );
}
