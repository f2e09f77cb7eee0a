/** A picture that is shown as a whole when it is pressed. */

import { Picture, type Shown } from "./picture";
import "./attachments.css";

interface PictureButtonProps {
  readonly file: Shown;
  readonly name: string;
  readonly tip?: string;
  onOpen(): void;
}

export function PictureButton({ file, name, tip, onOpen }: PictureButtonProps) {
  return (
    <button
      type="button"
      class="picture-button"
      aria-label={`Open ${name}`}
      data-tip={tip}
      onClick={onOpen}
    >
      <Picture file={file} />
    </button>
  );
}
