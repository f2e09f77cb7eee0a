/** A picture as large as the page. */

import { Dialog } from "../../design/dialog";
import { Picture, type Shown } from "./picture";
import "./attachments.css";

interface LightboxProps {
  readonly file: Shown;
  readonly title?: string;
  onClose(): void;
}

export function Lightbox({ file, title = file.name, onClose }: LightboxProps) {
  return (
    <Dialog title={title} size="large" onClose={onClose}>
      <div class="lightbox">
        <Picture file={file} />
      </div>
    </Dialog>
  );
}
