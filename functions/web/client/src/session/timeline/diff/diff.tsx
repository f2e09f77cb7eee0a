/** An edit as a unified diff with line numbers; a long one begins folded. */

import { useState } from "preact/hooks";
import { Button } from "../../../design/button";
import { Scrolling } from "../scrolling";
import type { FileDiff } from "./rows";
import { DiffTable } from "./table";
import "./diff.css";

const FEW_ROWS = 24;
const MOST_FOLDED = 18;

interface DiffProps {
  readonly file: FileDiff;
  /** The row above it says which file it is. */
  readonly named?: boolean;
}

export function Diff({ file, named = true }: DiffProps) {
  const [whole, setWhole] = useState(false);
  const folded = file.rows.length > FEW_ROWS && !whole;
  const rows = folded ? file.rows.slice(0, MOST_FOLDED) : file.rows;
  const left = file.rows.length - rows.length;
  return (
    <figure class="diff" aria-label={`Changes in ${file.path}: ${spoken(file)}`}>
      {named && (
        <figcaption class="diff-name">
          <span>{file.path}</span>
          <Changes added={file.added} removed={file.removed} />
        </figcaption>
      )}
      <Scrolling class="diff-rows" label="Changed lines">
        <DiffTable rows={rows} path={file.path} />
      </Scrolling>
      {folded && (
        <Button kind="quiet" class="diff-more" onClick={() => setWhole(true)}>
          {`Show ${left} more lines`}
        </Button>
      )}
    </figure>
  );
}

interface ChangesProps {
  readonly added: number;
  readonly removed: number;
}

export function Changes({ added, removed }: ChangesProps) {
  return (
    <span class="changes">
      {added > 0 && (
        <span class="changes-added">
          +{added} <span class="visually-hidden">added</span>
        </span>
      )}
      {removed > 0 && (
        <span class="changes-removed">
          −{removed} <span class="visually-hidden">removed</span>
        </span>
      )}
    </span>
  );
}

function spoken({ added, removed }: ChangesProps): string {
  return `${added} added, ${removed} removed`;
}
