/** Moves through the rows of the inbox by keyboard: focus is on a row's link. */

function links(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".sidebar .inbox-link")];
}

export function focusRow(at: number): void {
  links()[at]?.focus();
}

/** From the focused row, else from that of the session that is shown. */
export function moveRow(by: 1 | -1): void {
  const all = links();
  const focused = all.indexOf(document.activeElement as HTMLElement);
  const from = focused >= 0 ? focused : all.findIndex((link) => link.ariaCurrent === "page");
  const next = from < 0 ? 0 : Math.max(0, Math.min(all.length - 1, from + by));
  all[next]?.focus();
  all[next]?.scrollIntoView({ block: "nearest" });
}

/** The session whose row has the focus. */
export function focusedSession(): string | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-session]");
  return row?.dataset.session ?? null;
}
