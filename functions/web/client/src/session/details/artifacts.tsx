/** What the agent handed in: screenshots are shown, anything else is linked. */

import { FileBox } from "lucide-preact";
import { useState } from "preact/hooks";
import * as api from "../../api";
import { Icon } from "../../design/icon";
import type { ArtifactView } from "../../protocol";
import { Lightbox } from "../attachments/lightbox";
import { PictureButton } from "../attachments/picture-button";
import { OPENED_APART, safeHref } from "../timeline/prose/links";
import { useFetched } from "./fetched";
import { Section } from "./section";

/** They have sections of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(["branch", "pull_request", "pull_request_link"]);

interface ArtifactsProps {
  readonly session: string;
  /** Changes when there may be more of them. */
  readonly news: string;
}

export function Artifacts({ session, news }: ArtifactsProps) {
  const [shown, setShown] = useState<ArtifactView | null>(null);
  const found = useFetched((signal) => api.artifacts(session, signal), session, news);
  const all = (found?.artifacts ?? []).filter((each) => !ELSEWHERE.has(each.kind));
  if (all.length === 0) {
    return null;
  }
  const pictures = all.filter((each) => each.file !== null);
  const others = all.filter((each) => each.file === null);
  return (
    <Section title="Artifacts">
      {pictures.length > 0 && (
        <div class="pictures">
          {pictures.map(
            (each) =>
              each.file !== null && (
                <PictureButton
                  key={each.id}
                  file={each.file}
                  name={each.title}
                  tip={each.title}
                  onOpen={() => setShown(each)}
                />
              ),
          )}
        </div>
      )}
      <ul class="section-list">
        {others.map((each) => (
          <Other key={each.id} artifact={each} />
        ))}
      </ul>
      {shown?.file && (
        <Lightbox file={shown.file} title={shown.title} onClose={() => setShown(null)} />
      )}
    </Section>
  );
}

function Other({ artifact }: { readonly artifact: ArtifactView }) {
  const href = artifact.url === null ? null : safeHref(artifact.url);
  const title = artifact.title || artifact.kind;
  return (
    <li class="section-line">
      <Icon of={FileBox} size={14} />
      {href === null ? (
        <span class="section-grow">{title}</span>
      ) : (
        <a class="section-grow" href={href} {...OPENED_APART}>
          {title}
        </a>
      )}
    </li>
  );
}
