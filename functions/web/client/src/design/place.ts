/** Where a floating layer goes: at its button, inside the window, on the other side if need be. */

export type Side = "below-start" | "below-end" | "above-start" | "above-end";

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

const GAP = 4;
const MARGIN = 8;

export function place(layer: HTMLElement, anchor: HTMLElement, side: Side): void {
  const room = { width: window.innerWidth, height: window.innerHeight };
  const size = { width: layer.offsetWidth, height: layer.offsetHeight };
  const { left, top } = position(anchor.getBoundingClientRect(), size, room, side);
  layer.style.setProperty("left", `${left}px`);
  layer.style.setProperty("top", `${top}px`);
}

export function position(anchor: Box, size: Size, room: Size, side: Side) {
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - size.height;
  const fitsBelow = below + size.height <= room.height - MARGIN;
  const fitsAbove = above >= MARGIN;
  const goesBelow = side.startsWith("below") ? fitsBelow || !fitsAbove : fitsBelow && !fitsAbove;
  const left = side.endsWith("start") ? anchor.left : anchor.right - size.width;
  return {
    left: within(left, room.width - size.width),
    top: within(goesBelow ? below : above, room.height - size.height),
  };
}

function within(wanted: number, most: number): number {
  return Math.max(MARGIN, Math.min(wanted, most - MARGIN));
}
