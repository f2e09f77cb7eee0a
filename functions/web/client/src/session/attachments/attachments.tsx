/** Pictures that belong to a prompt: small, and whole when they are opened. */

import { useState } from "preact/hooks";
import type { Attached } from "../../protocol";
import { Lightbox } from "./lightbox";
import { Picture } from "./picture";
import "./attachments.css";

export function Attachments({ files }: { readonly files: readonly Attached[] }) {
  const [shown, setShown] = useState<Attached | null>(null);
  if (files.length === 0) {
    return null;
  }
  return (
    <div class="pictures">
      {files.map((file) => (
        <button
          key={file.id}
          type="button"
          class="pictures-one"
          aria-label={`Open ${file.name}`}
          onClick={() => setShown(file)}
        >
          <Picture file={file} />
        </button>
      ))}
      {shown !== null && <Lightbox file={shown} onClose={() => setShown(null)} />}
    </div>
  );
}
