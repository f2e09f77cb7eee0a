/** Grey shapes where something will be; what loads is said by `label`, once. */
import "./skeleton.css";

interface Props {
  lines?: number;
  /** Rows of a list, or lines of a text. */
  shape?: "text" | "row" | "block";
  label?: string;
}

const WIDTHS = ["72%", "88%", "56%", "80%", "64%"];

export function Skeleton({ lines = 3, shape = "text", label = "Loading" }: Props) {
  return (
    <div class={`skeleton skeleton-${shape}`} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          class="skeleton-line"
          style={{ "--width": WIDTHS[line % WIDTHS.length] ?? "100%" }}
        />
      ))}
    </div>
  );
}
