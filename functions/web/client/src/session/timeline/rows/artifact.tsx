/** What the agent handed in: a screenshot is shown, anything else is named and linked. */

import { FileBox, Image } from "lucide-preact";
import { useState } from "preact/hooks";
import { Icon } from "../../../design/icon";
import { Lightbox } from "../../attachments/lightbox";
import { PictureButton } from "../../attachments/picture-button";
import type { ArtifactRow } from "../../state";
import { OPENED_APART, safeHref } from "../prose/links";
import "./artifact.css";

export function Artifact({ row }: { readonly row: ArtifactRow }) {
  const [open, setOpen] = useState(false);
  const { file } = row;
  const title = row.title || row.artifact;
  if (file === null) {
    return <Named row={row} title={title} />;
  }
  return (
    <figure class="artifact">
      <PictureButton file={file} name={title} onOpen={() => setOpen(true)} />
      <figcaption class="artifact-title">
        <Icon of={Image} size={14} />
        {title}
      </figcaption>
      {open && <Lightbox file={file} title={title} onClose={() => setOpen(false)} />}
    </figure>
  );
}

function Named({ row, title }: { readonly row: ArtifactRow; readonly title: string }) {
  const href = row.url === null ? null : safeHref(row.url);
  return (
    <p class="artifact-named">
      <Icon of={FileBox} size={14} />
      {href === null ? (
        title
      ) : (
        <a href={href} {...OPENED_APART}>
          {title}
        </a>
      )}
      <span class="artifact-kind">{row.artifact.replaceAll("_", " ")}</span>
    </p>
  );
}
