/** A mark is a picture with a name, or, beside text that says the same, nothing to a screen reader. */
export function spoken(label: string | undefined) {
  if (label === undefined) return { "aria-hidden": true };
  return { role: "img" as const, "aria-label": label, "data-tip": label };
}
