/** Whether the sidebar is in sight: over the page on a phone, beside it where there is room. */
import { signal } from "@preact/signals";
import { storedFlag } from "./stored";

const narrowScreen = window.matchMedia("(max-width: 767px)");

export const narrow = signal(narrowScreen.matches);
narrowScreen.addEventListener("change", () => {
  narrow.value = narrowScreen.matches;
  drawerOpen.value = false;
});

const crampedScreen = window.matchMedia("(max-width: 1079px)");

/** There is no room for a page with something on either side of it. */
export const cramped = signal(crampedScreen.matches);
crampedScreen.addEventListener("change", () => {
  cramped.value = crampedScreen.matches;
});

/** On a phone. */
export const drawerOpen = signal(false);

/** Where there is room. */
export const sidebarHidden = storedFlag("sidebar-hidden", false);

export function toggleSidebar(): void {
  if (narrow.value) drawerOpen.value = !drawerOpen.value;
  else sidebarHidden.value = !sidebarHidden.value;
}

export function closeDrawer(): void {
  drawerOpen.value = false;
}

export function sidebarShown(): boolean {
  return narrow.value ? drawerOpen.value : !sidebarHidden.value;
}
