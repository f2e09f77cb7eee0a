/** A person as two letters on a hue that is always theirs. */
import { classes } from "./class-names";
import { spoken } from "./spoken";
import "./avatar.css";

interface Props {
  name: string;
  size?: "medium" | "large";
  /** Somebody who is here but looks elsewhere. */
  idle?: boolean;
  /** Said only where no text beside it names the person. */
  label?: string;
}

export function Avatar({ name, size = "medium", idle = false, label }: Props) {
  return (
    <span
      class={classes("avatar", `avatar-${size}`, idle && "avatar-idle")}
      style={{ "--hue": hue(name) }}
      {...spoken(label)}
      data-initials={initials(name)}
    />
  );
}

/** Of the first and the last word, or the first letters of a single one. */
export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const [first = "?", ...others] = words;
  const last = others.at(-1);
  const letters = last ? letter(first) + letter(last) : [...first].slice(0, 2).join("");
  return letters.toUpperCase();
}

/** FNV-1a: names that differ in one letter are far apart. */
function hue(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name.trim().toLowerCase()) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0) % 360;
}

function letter(word: string): string {
  return [...word][0] ?? "";
}
