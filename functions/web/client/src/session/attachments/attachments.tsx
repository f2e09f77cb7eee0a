/** Pictures that belong to a prompt: small, and whole when they are opened. */

import { useState } from "preact/hooks";
import type { Attached } from "../../protocol";
import { Lightbox } from "./lightbox";
import { PictureButton } from "./picture-button";

export function Attachments({ files }: { readonly files: readonly Attached[] }) {
  const [shown, setShown] = useState<Attached | null>(null);
  if (files.length === 0) {
    return null;
  }
  return (
    <div class="pictures">
      {files.map((file) => (
        <PictureButton key={file.id} file={file} name={file.name} onOpen={() => setShown(file)} />
      ))}
      {shown !== null && <Lightbox file={shown} onClose={() => setShown(null)} />}
    </div>
  );
}
