/** The search over titles and repositories, above the inbox. */
import { Search, UserRound, X } from "lucide-preact";
import { useRef } from "preact/hooks";
import { IconButton } from "../design/button";
import { Icon } from "../design/icon";
import { Kbd } from "../design/kbd";
import { mineOnly, showMineOnly } from "./inbox";
import { focusFirstRow } from "./inbox-keys";
import { useShortcuts } from "./shortcuts";
import "./session-search.css";

interface Props {
  query: string;
  onQuery: (query: string) => void;
}

export function SessionSearch({ query, onQuery }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: "/", label: "Search sessions", group: "Sessions", run: () => field.current?.focus() },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      focusFirstRow();
    }
    if (event.key === "Escape") {
      if (query) onQuery("");
      else field.current?.blur();
      event.stopPropagation();
    }
  };
  return (
    <search class="session-search">
      <div class="session-search-box">
        <Icon of={Search} size={14} />
        <input
          ref={field}
          type="text"
          aria-label="Search sessions by title or repository"
          placeholder="Search"
          autoComplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {query ? (
          <button type="button" aria-label="Clear the search" onClick={() => onQuery("")}>
            <Icon of={X} size={14} />
          </button>
        ) : (
          <Kbd keys="/" />
        )}
      </div>
      <IconButton
        icon={UserRound}
        label="Only my sessions"
        pressed={mineOnly.value}
        onClick={() => showMineOnly(!mineOnly.value)}
      />
    </search>
  );
}
