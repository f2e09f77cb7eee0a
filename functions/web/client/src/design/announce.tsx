/** What a screen reader is told when something happens elsewhere on the page. */
import { signal } from "@preact/signals";

const said = signal({ text: "", turn: 0 });

/** Politely: when whatever is being read has ended. The same words twice are read twice. */
export function announce(text: string): void {
  said.value = { text, turn: said.value.turn + 1 };
}

/** Once in the page, outside of everything that can become inert. */
export function Announcer() {
  const { text, turn } = said.value;
  return (
    <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true">
      {turn % 2 ? `${text}\u00a0` : text}
    </div>
  );
}
