/** Light, dark, or as the system has it. */
import { Monitor, Moon, Sun } from "lucide-preact";
import { Segmented } from "../design/segmented";
import { chooseTheme, theme } from "../shell/theme";

export function AppearanceSection() {
  return (
    <div class="settings-card">
      <div class="settings-row">
        <div>
          <p>Theme</p>
          <p class="settings-row-text">Kept in this browser.</p>
        </div>
        <Segmented
          label="Theme"
          value={theme.value}
          onChange={chooseTheme}
          options={[
            { value: "system", label: "System", icon: Monitor },
            { value: "light", label: "Light", icon: Sun },
            { value: "dark", label: "Dark", icon: Moon },
          ]}
        />
      </div>
    </div>
  );
}
