/** The keys, to look up. */
import { Kbd } from "../design/kbd";
import { ShortcutList } from "../shell/shortcut-sheet";

export function ShortcutsSection() {
  return (
    <>
      <p class="settings-text">
        They work wherever you are not writing. Press <Kbd keys="?" /> to see them on any page.
      </p>
      <ShortcutList />
    </>
  );
}
