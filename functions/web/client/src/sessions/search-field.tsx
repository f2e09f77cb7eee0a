/** The search of the sessions page; what it holds is in the address. */
import { Search } from "lucide-preact";
import { Icon } from "../design/icon";

interface Props {
  query: string;
  onQuery: (query: string) => void;
}

export function SearchField({ query, onQuery }: Props) {
  return (
    <search class="sessions-search">
      <Icon of={Search} size={14} />
      <input
        type="search"
        class="input"
        aria-label="Search titles, ids and repositories"
        placeholder="Search titles, ids and repositories"
        autoComplete="off"
        spellcheck={false}
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
    </search>
  );
}
