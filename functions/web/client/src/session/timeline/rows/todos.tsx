/** The agent's plan as a checklist; once all of it is done, its line alone is enough. */

import { ListTodo } from "lucide-preact";
import { Icon } from "../../../design/icon";
import { lookup } from "../../../design/lookup";
import type { TodoItem, TodosRow } from "../../state";
import { Disclosure } from "../disclosure";
import "./todos.css";

interface TodosProps {
  readonly row: TodosRow;
  readonly open: boolean;
  onToggle(): void;
}

export function Todos({ row, open, onToggle }: TodosProps) {
  const done = row.items.filter((item) => item.status === "completed").length;
  const now = row.items.find((item) => item.status === "in_progress")?.content;
  const progress = `${done} of ${row.items.length} done`;
  return (
    <Disclosure
      open={open}
      onToggle={onToggle}
      class="todos"
      icon={<Icon of={ListTodo} size={14} />}
      line={
        <>
          <span class="todos-title">Plan</span> <span class="todos-progress">{progress}</span>{" "}
          {!open && now !== undefined && <span class="todos-now">{now}</span>}
        </>
      }
    >
      <ul class="todos-list">
        {row.items.map((item, at) => (
          <li key={`${at}`} class={`todo todo-${item.status}`}>
            <Mark item={item} />
            <span>{item.content}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const SPOKEN: Readonly<Record<string, string>> = {
  completed: "Done: ",
  in_progress: "Now: ",
  cancelled: "Dropped: ",
};

function Mark({ item }: { readonly item: TodoItem }) {
  return (
    <>
      <svg class="todo-mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        <circle cx="7" cy="7" r="5.75" />
        {item.status === "completed" && <path d="M4.4 7.2 6.3 9l3.4-3.9" />}
        {item.status === "in_progress" && <circle class="todo-now" cx="7" cy="7" r="2.75" />}
        {item.status === "cancelled" && <path d="M4.8 7h4.4" />}
      </svg>
      <span class="visually-hidden">{lookup(SPOKEN, item.status) ?? "To do: "}</span>
    </>
  );
}
