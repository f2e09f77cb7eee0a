/** Light, dark, or as the system has it. `public/theme.js` does the same before the first paint. */
import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

/** Plain text, not JSON: it is read by `public/theme.js`, too. */
const KEY = "outboard.theme";
const BACKGROUND = { light: "#fdfdfc", dark: "#141517" };

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const system = signal<"light" | "dark">(systemDark.matches ? "dark" : "light");

export const theme = signal<Theme>(remembered());

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // It holds until the page is closed.
  }
}

/** Called once, when the page starts. */
export function followTheme(): void {
  systemDark.addEventListener("change", () => {
    system.value = systemDark.matches ? "dark" : "light";
  });
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) theme.value = remembered();
  });
  effect(() => {
    const shown = theme.value === "system" ? system.value : theme.value;
    document.documentElement.dataset.theme = shown;
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]');
    if (meta) meta.content = BACKGROUND[shown];
  });
}

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}
