/** How much is changed since the session began; pressed, it shows what. */

import { FileDiff } from "lucide-preact";
import { useContext } from "preact/hooks";
import { Icon } from "../../../design/icon";
import { plural } from "../../format";
import { ShowChanges } from "../../show-changes";
import type { ComparedRow } from "../../state";
import { Changes } from "../diff/diff";
import "./compared.css";

export function Compared({ row }: { readonly row: ComparedRow }) {
  const show = useContext(ShowChanges);
  return (
    <button type="button" class="compared" onClick={show}>
      <Icon of={FileDiff} size={14} class="compared-icon" />
      <span>{words(row)}</span> <Changes added={row.additions} removed={row.deletions} />{" "}
      <span class="compared-show">Show changes</span>
    </button>
  );
}

function words({ files, repositories }: ComparedRow): string {
  if (files === 0) {
    return "Nothing is changed any more";
  }
  const where = repositories > 1 ? ` in ${repositories} repositories` : "";
  return `${plural(files, "file")} changed so far${where}`;
}
