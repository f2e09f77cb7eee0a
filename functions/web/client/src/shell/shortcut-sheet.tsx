/** All the keys that work where one is. */
import { signal } from "@preact/signals";
import { Dialog } from "../design/dialog";
import { Kbd } from "../design/kbd";
import { type Shortcut, shortcuts } from "./shortcuts";
import "./shortcut-sheet.css";

const open = signal(false);

export function showShortcuts(): void {
  open.value = true;
}

/** Once in the page. */
export function ShortcutSheet() {
  if (!open.value) return null;
  const close = () => {
    open.value = false;
  };
  return (
    <Dialog title="Keyboard shortcuts" size="medium" onClose={close}>
      <ShortcutList />
    </Dialog>
  );
}

export function ShortcutList() {
  const all = unique(shortcuts.value);
  const groups = new Set(all.map((each) => each.group));
  return (
    <div class="shortcut-groups">
      {[...groups].map((group) => (
        <section key={group}>
          <h3 class="shortcut-title">{group}</h3>
          <dl class="shortcut-list">
            {all
              .filter((each) => each.group === group)
              .map((each) => (
                <div key={each.label} class="shortcut">
                  <dt>{each.label}</dt>
                  <dd>
                    <Kbd keys={each.keys} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function unique(list: Shortcut[]): Shortcut[] {
  return list.filter((each, at) => list.findIndex((other) => other.label === each.label) === at);
}
