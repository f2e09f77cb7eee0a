/** The shortcuts that work on every page. */
import { navigate } from "wouter-preact/use-browser-location";
import { takeBack } from "../design/toast";
import { openCommandMenu } from "./command-menu";
import { toggleSidebar } from "./drawer";
import { showShortcuts } from "./shortcut-sheet";
import { type Shortcut, useShortcuts } from "./shortcuts";

const GENERAL = "General";
const GO = "Go to";

const EVERYWHERE: Shortcut[] = [
  {
    keys: "mod+k",
    label: "Search and commands",
    group: GENERAL,
    run: openCommandMenu,
    everywhere: true,
  },
  { keys: "c", label: "New session", group: GENERAL, run: compose },
  { keys: "[", label: "Show or hide the sidebar", group: GENERAL, run: toggleSidebar },
  { keys: "mod+z", label: "Undo the last action", group: GENERAL, run: takeBack },
  { keys: "?", label: "Keyboard shortcuts", group: GENERAL, run: showShortcuts },
  { keys: "g h", label: "Home", group: GO, run: () => navigate("/") },
  { keys: "g s", label: "Sessions", group: GO, run: () => navigate("/sessions") },
  { keys: "g ,", label: "Settings", group: GO, run: () => navigate("/settings") },
];

export function useGlobalShortcuts(): void {
  useShortcuts(EVERYWHERE);
}

/** Where one can write already, that is where the cursor goes. */
function compose(): void {
  navigate("/");
  document.querySelector<HTMLElement>(".prompt-box-large .prompt-field")?.focus();
}
