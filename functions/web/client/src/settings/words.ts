/** Lists of words as one line of text, and back. */

export function joined(words: readonly string[]): string {
  return words.join(", ");
}

/** Each once, in the order they were written. */
export function split(text: string): string[] {
  const words = text.split(",").map((word) => word.trim());
  return [...new Set(words.filter(Boolean))];
}
