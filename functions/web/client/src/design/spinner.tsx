/** A turning ring for what takes a moment; silent, because whoever shows it says what goes on. */
import "./spinner.css";

export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg class="spinner" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <circle class="spinner-track" cx="8" cy="8" r="6.25" />
      <path class="spinner-head" d="M8 1.75A6.25 6.25 0 0 1 14.25 8" />
    </svg>
  );
}
