/** Moves through rows of sessions by keyboard: focus is on a row's link. */

/** Those of the sessions page where it is shown, else those of the sidebar. */
function links(): HTMLElement[] {
  const page = shown("main [data-session] > a");
  return page.length > 0 ? page : sidebarLinks();
}

function sidebarLinks(): HTMLElement[] {
  return shown(".sidebar [data-session] > a");
}

function shown(selectors: string): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>(selectors)];
  return all.filter((link) => link.getClientRects().length > 0);
}

/** The first of the sidebar. */
export function focusFirstRow(): void {
  sidebarLinks()[0]?.focus();
}

/** From the focused row, else from that of the session that is shown. */
export function moveRow(by: 1 | -1): void {
  const focused = document.activeElement as HTMLElement;
  const all = sidebarLinks().includes(focused) ? sidebarLinks() : links();
  const at = all.indexOf(focused);
  const from = at >= 0 ? at : all.findIndex((link) => link.ariaCurrent === "page");
  const next = from < 0 ? 0 : Math.max(0, Math.min(all.length - 1, from + by));
  all[next]?.focus();
  all[next]?.scrollIntoView({ block: "nearest" });
}

/** Arrows do as J and K do, in a list of rows. */
export function onArrow(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  moveRow(event.key === "ArrowDown" ? 1 : -1);
}

/** The session whose row has the focus. */
export function focusedSession(): string | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-session]");
  return row?.dataset.session ?? null;
}
