/** A menu of actions at a button: arrows, Home, End, first letters, Escape. */
import type { LucideIcon } from "lucide-preact";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";
import { Kbd } from "./kbd";
import type { Side } from "./place";
import { type Anchored, Popover, useAnchored } from "./popover";
import { step } from "./steps";
import "./menu.css";

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  keys?: string;
  danger?: boolean;
  /** Begins a group: a line above it. */
  divided?: boolean;
  run: () => void;
}

interface Props {
  /** The menu's name. */
  label: string;
  items: MenuItem[];
  /** The button; it gets what opens the menu. */
  children: (trigger: MenuTrigger) => ComponentChildren;
  side?: Side;
  /** Above the items: whose menu it is. */
  heading?: ComponentChildren;
}

export type MenuTrigger = Anchored["trigger"] & {
  ref: RefObject<HTMLButtonElement>;
  "aria-haspopup": "menu";
};

export function Menu({ label, items, children, side = "below-start", heading }: Props) {
  const layer = useAnchored();
  return (
    <>
      {children({ ...layer.trigger, ref: layer.anchor, "aria-haspopup": "menu" })}
      <Popover of={layer} side={side}>
        {heading}
        <Items label={label} items={items} close={layer.close} />
      </Popover>
    </>
  );
}

function Items({ label, items, close }: { label: string; items: MenuItem[]; close: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => buttons(list.current)[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons(list.current);
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = step(
      event,
      at,
      all.map((each) => each.textContent ?? ""),
    );
    if (event.key === "Tab") close();
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    all[next]?.focus();
  };
  return (
    <div ref={list} class="menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <Entry key={item.label} item={item} close={close} />
      ))}
    </div>
  );
}

function Entry({ item, close }: { item: MenuItem; close: () => void }) {
  return (
    <>
      {item.divided && <hr class="menu-line" />}
      <button
        type="button"
        class={item.danger ? "menu-item menu-item-danger" : "menu-item"}
        role="menuitem"
        tabIndex={-1}
        onPointerMove={(event) => event.currentTarget.focus()}
        onClick={() => {
          close();
          item.run();
        }}
      >
        {item.icon && <Icon of={item.icon} />}
        <span class="menu-label">{item.label}</span>
        {item.keys && <Kbd keys={item.keys} />}
      </button>
    </>
  );
}

function buttons(list: HTMLElement | null): HTMLButtonElement[] {
  return [...(list?.querySelectorAll<HTMLButtonElement>("button") ?? [])];
}
