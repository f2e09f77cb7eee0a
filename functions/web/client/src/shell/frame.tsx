/** The frame of every page but the sign-in: the sidebar, and the page beside or under it. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { closeDrawer, drawerOpen, narrow, sidebarHidden } from "./drawer";
import { Sidebar } from "./sidebar";
import "./frame.css";

export function Frame({ children }: { children: ComponentChildren }) {
  const over = narrow.value && drawerOpen.value;
  const hidden = narrow.value ? !drawerOpen.value : sidebarHidden.value;
  useClosing(over);
  return (
    <div class="frame">
      <a class="skip-link" href="#main">
        Skip to the page
      </a>
      {over && (
        <button
          type="button"
          class="frame-scrim"
          aria-label="Close sidebar"
          onClick={closeDrawer}
        />
      )}
      <Sidebar hidden={hidden} />
      <main id="main" class="frame-main" tabIndex={-1} inert={over}>
        {children}
      </main>
    </div>
  );
}

/** The drawer goes with Escape, and when another page was chosen in it. */
function useClosing(open: boolean): void {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is what closes it.
  useEffect(closeDrawer, [path]);
  useEffect(() => {
    if (!open) return;
    document.querySelector<HTMLElement>(".sidebar-head button")?.focus();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") closeDrawer();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.querySelector<HTMLElement>(".sidebar-button")?.focus();
    };
  }, [open]);
}
