/** The place for what a session has changed: beside the timeline, or over it. What fills it comes
 * when it is opened first.
 */

import { TriangleAlert, X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import { Button, IconButton } from "../../design/button";
import { Empty } from "../../design/empty";
import { Skeleton } from "../../design/skeleton";
import type { PanelProps } from "./panel";
import "./changes.css";

const Panel = lazy(() => import("./panel").then((panel) => panel.ChangesPanel));

interface ChangesProps extends PanelProps {
  /** Over the page instead of beside it. */
  readonly over: boolean;
  onClose(): void;
}

export function Changes({ over, onClose, ...props }: ChangesProps) {
  const panel = useRef<HTMLElement>(null);
  useFocus(panel);
  return (
    <>
      {over && (
        <button type="button" class="details-scrim" aria-label="Close changes" onClick={onClose} />
      )}
      <aside
        ref={panel}
        class="changes-panel"
        data-over={over || undefined}
        aria-label="Changes"
        tabIndex={-1}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      >
        <div class="changes-head">
          <h2>Changes</h2>
          <IconButton icon={X} label="Close changes" keys="d" onClick={onClose} />
        </div>
        <Apart>
          <Suspense fallback={<Loading />}>
            <Panel {...props} />
          </Suspense>
        </Apart>
      </aside>
    </>
  );
}

export function Loading() {
  return (
    <div class="changes-loading">
      <Skeleton lines={5} label="Loading the changes" />
    </div>
  );
}

/** Its keys work from the beginning, and whoever closes it is where they were. */
function useFocus(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus({ preventScroll: true });
      }
    };
  }, [panel]);
}

/** Without its code, or with a bug of ours in it, the rest of the session is still there. */
function Apart({ children }: { readonly children: ComponentChildren }) {
  const [broken] = useErrorBoundary((error) => console.error(error));
  if (broken === undefined) {
    return <>{children}</>;
  }
  return (
    <Empty
      title="The changes can't be shown"
      icon={TriangleAlert}
      tone="bad"
      action={<Button onClick={() => location.reload()}>Load the page again</Button>}
    >
      Outboard may have been updated since the page was opened, or the connection is down.
    </Empty>
  );
}
