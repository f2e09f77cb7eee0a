/** Which entry of a list a key goes to. */

/** Null: the key does not move. With `labels`, a letter goes to the next entry that begins with it. */
export function step(event: KeyboardEvent, at: number, labels: string[]): number | null {
  const last = labels.length - 1;
  if (last < 0) return null;
  if (event.key === "ArrowDown") return at >= last ? 0 : at + 1;
  if (event.key === "ArrowUp") return at <= 0 ? last : at - 1;
  if (event.key === "Home") return 0;
  if (event.key === "End") return last;
  return byLetter(event, at, labels);
}

function byLetter(event: KeyboardEvent, at: number, labels: string[]): number | null {
  if (event.key.length !== 1 || event.key === " " || modified(event)) return null;
  const letter = event.key.toLowerCase();
  for (let distance = 1; distance <= labels.length; distance += 1) {
    const next = (at + distance) % labels.length;
    if (labels[next]?.trim().toLowerCase().startsWith(letter)) return next;
  }
  return null;
}

function modified(event: KeyboardEvent): boolean {
  return event.metaKey || event.ctrlKey || event.altKey;
}
