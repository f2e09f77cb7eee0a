/** A floating layer at a button, on the browser's own popover: in the top layer, closed by a look away. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { classes } from "./class-names";
import { place, type Side } from "./place";
import "./popover.css";

/** Whether the layer is open, and the button it belongs to. */
export interface Anchored {
  anchor: RefObject<HTMLButtonElement>;
  open: boolean;
  show: () => void;
  close: () => void;
  /** For the button: a press while the layer is open has closed it already. */
  trigger: { onPointerDown: () => void; onClick: () => void; "aria-expanded": boolean };
}

export function useAnchored(): Anchored {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const pressedOpen = useRef(false);
  const trigger = {
    onPointerDown: () => {
      pressedOpen.current = open;
    },
    onClick: () => {
      setOpen(!pressedOpen.current);
      pressedOpen.current = false;
    },
    "aria-expanded": open,
  };
  return { anchor, open, show: () => setOpen(true), close: () => setOpen(false), trigger };
}

interface Props {
  of: Anchored;
  children: ComponentChildren;
  side?: Side;
  /** Of a dialog with a name; a menu or listbox inside has a name of its own. */
  label?: string;
  class?: string;
}

export function Popover({ of, ...rest }: Props) {
  return of.open ? <Layer of={of} {...rest} /> : null;
}

function Layer({ of: { anchor, close }, children, side = "below-start", label, ...rest }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const closing = useRef(close);
  closing.current = close;
  useLayoutEffect(() => {
    const element = layer.current;
    const button = anchor.current;
    if (!element || !button) return;
    element.showPopover();
    const arrange = () => place(element, button, side);
    arrange();
    const sizes = new ResizeObserver(arrange);
    sizes.observe(element);
    window.addEventListener("resize", arrange);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", arrange);
      if (element.contains(document.activeElement)) button.focus();
    };
  }, [anchor, side]);
  useEffect(() => {
    const element = layer.current;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") closing.current();
    };
    element?.addEventListener("toggle", toggled);
    return () => element?.removeEventListener("toggle", toggled);
  }, []);
  const named = label ? { role: "dialog" as const, "aria-label": label } : {};
  return (
    <div ref={layer} popover="auto" class={classes("popover", rest.class)} {...named}>
      {children}
    </div>
  );
}
