/** The command menu: every session and every action, a few letters away. */
import { signal } from "@preact/signals";
import { Search } from "lucide-preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { navigate } from "wouter-preact/use-browser-location";
import { StatusDot } from "../design/badge";
import { Dialog } from "../design/dialog";
import { Icon } from "../design/icon";
import { type Option, OptionList, useMoves } from "../design/options";
import type { SessionView } from "../protocol";
import { type Action, actions } from "./command-actions";
import { inbox } from "./inbox";
import { rows } from "./inbox-changes";
import { useSearch } from "./session-matches";
import { targetOf, titleOf, workOf } from "./session-names";
import "./command-menu.css";

const open = signal(false);
const MOST_RECENT = 6;

export function openCommandMenu(): void {
  open.value = true;
}

/** Once in the page. */
export function CommandMenu() {
  if (!open.value) return null;
  return <Commands close={() => (open.value = false)} />;
}

function Commands({ close }: { close: () => void }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const options = useEntries(text.trim());
  const choose = (option: Option) => {
    close();
    // The dialog gives focus back first; what is chosen may want it.
    queueMicrotask(() => run(option.value));
  };
  const moves = useMoves(options, null, choose, false);
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog title="Search and commands" size="command" bare onClose={close}>
      <div class="command-field">
        <Icon of={Search} />
        <input
          ref={field}
          role="combobox"
          aria-label="Search sessions and commands"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={options.length ? `${id}-${moves.active}` : undefined}
          placeholder="Search sessions and commands"
          autoComplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            moves.setActive(0);
          }}
          onKeyDown={moves.onKeyDown}
        />
      </div>
      <div class="command-list">
        {options.length === 0 && <p class="options-none">Nothing matches “{text}”.</p>}
        <OptionList {...{ id, options, moves, choose }} label="Results" chosen={null} />
      </div>
    </Dialog>
  );
}

/** Without a text the newest sessions; with one those that match, after the actions that do. */
function useEntries(text: string): Option[] {
  const { rows: found } = useSearch(text);
  const newest = inbox.value ? rows(inbox.value).slice(0, MOST_RECENT) : [];
  const sessions = (text ? found : newest).map((row) => sessionOption(row.session));
  const words = text.toLowerCase().split(/\s+/);
  const fitting = actions().filter((each) =>
    words.every((word) => each.label.toLowerCase().includes(word)),
  );
  const commands = fitting.map(actionOption);
  return text ? [...commands, ...sessions] : [...sessions, ...commands];
}

function sessionOption(session: SessionView): Option {
  const work = workOf(session);
  return {
    value: `/session/${session.id}`,
    label: titleOf(session),
    detail: targetOf(session),
    icon: <StatusDot tone={work.tone} live={work.live} hollow={work.hollow} label={work.label} />,
    group: "Sessions",
  };
}

function actionOption({ label, icon }: Action): Option {
  return { value: label, label, icon: <Icon of={icon} />, group: "Commands" };
}

function run(value: string): void {
  if (value.startsWith("/")) navigate(value);
  else
    actions()
      .find((each) => each.label === value)
      ?.run();
}
