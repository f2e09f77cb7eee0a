/** Small marks: a word in a pill, and the dot that says how something is. */
import type { ComponentChildren } from "preact";
import { classes } from "./class-names";
import { spoken } from "./spoken";
import type { Tone } from "./status";
import "./badge.css";

interface BadgeProps {
  children: ComponentChildren;
  tone?: Tone;
  /** A longer sentence for whoever points at it. */
  tip?: string;
}

export function Badge({ children, tone = "neutral", tip }: BadgeProps) {
  return (
    <span class={classes("badge", `badge-${tone}`)} data-tip={tip}>
      {children}
    </span>
  );
}

interface DotProps {
  tone: Tone;
  /** Something goes on right now: the dot breathes. */
  live?: boolean;
  /** A ring instead of a disc: nothing there (yet, or any more). */
  hollow?: boolean;
  /** Said only where no text beside it says the same. */
  label?: string;
}

export function StatusDot({ tone, live = false, hollow = false, label }: DotProps) {
  return (
    <span
      class={classes("dot", `dot-${tone}`, live && "dot-live", hollow && "dot-hollow")}
      {...spoken(label)}
    />
  );
}
