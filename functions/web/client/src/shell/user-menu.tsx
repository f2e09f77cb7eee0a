/** Who one is, and what concerns oneself. */
import { ChevronsUpDown, Keyboard, LogOut, Settings, SunMoon } from "lucide-preact";
import { navigate } from "wouter-preact/use-browser-location";
import { Avatar } from "../design/avatar";
import { Icon } from "../design/icon";
import { Menu, type MenuItem } from "../design/menu";
import { showShortcuts } from "./shortcut-sheet";
import { leave } from "./sign-out";
import { chooseTheme } from "./theme";
import { me } from "./workspace";

export function UserMenu() {
  const who = me.value;
  if (!who) return <span />;
  return (
    <Menu label="You" items={items()} side="above-start" heading={<Heading />}>
      {(trigger) => (
        <button
          {...trigger}
          type="button"
          class="user-button"
          aria-label={`You: ${who.displayName}`}
        >
          <Avatar name={who.displayName} />
          <span class="user-name">{who.displayName}</span>
          <Icon of={ChevronsUpDown} size={12} />
        </button>
      )}
    </Menu>
  );
}

function Heading() {
  const who = me.value;
  return (
    <div class="user-heading">
      <span class="user-heading-name">{who?.displayName}</span>
      <span class="user-heading-more">
        {who?.name} · {who?.role}
      </span>
    </div>
  );
}

function items(): MenuItem[] {
  const dark = document.documentElement.dataset.theme === "dark";
  return [
    {
      label: "Settings",
      icon: Settings,
      keys: "g ,",
      divided: true,
      run: () => navigate("/settings"),
    },
    { label: "Keyboard shortcuts", icon: Keyboard, keys: "?", run: showShortcuts },
    {
      label: dark ? "Light appearance" : "Dark appearance",
      icon: SunMoon,
      run: () => chooseTheme(dark ? "light" : "dark"),
    },
    { label: "Sign out", icon: LogOut, divided: true, run: () => void leave() },
  ];
}
