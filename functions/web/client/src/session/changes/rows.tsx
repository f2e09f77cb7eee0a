/** What stands in the panel's list: a repository, a file, its lines, or why there are none. */

import { ChevronRight, FolderGit2, RotateCw, TriangleAlert } from "lucide-preact";
import { memo } from "preact/compat";
import { useEffect } from "preact/hooks";
import { Button } from "../../design/button";
import { classes } from "../../design/class-names";
import { Icon } from "../../design/icon";
import { Skeleton } from "../../design/skeleton";
import type { ChangedFile, ChangedRepository } from "../../protocol";
import { plural } from "../format";
import { Changes as Counts } from "../timeline/diff/diff";
import { DiffTable } from "../timeline/diff/table";
import { type Listed, lengthOf } from "./files";
import type { FileItem, Item, LinesItem } from "./items";
import { renderWord, statusWord } from "./words";

interface ItemProps {
  readonly item: Item;
  /** Has its lines fetched, if they are not there. */
  want(listed: Listed, again?: boolean): void;
  toggle(key: string): void;
  onFocus(key: string): void;
}

export const ItemView = memo(({ item, want, toggle, onFocus }: ItemProps) => {
  switch (item.kind) {
    case "repository":
      return <Repository of={item.repository} />;
    case "file":
      return <File item={item} onToggle={toggle} onFocus={onFocus} />;
    case "lines":
      return <Lines item={item} want={want} />;
    case "awaited":
      return <Awaited listed={item.listed} want={want} />;
    case "failed":
      return <Failed why={item.why} onAgain={() => want(item.listed, true)} />;
    case "said":
      return (
        <p class={classes("change-said", item.bad && "change-bad")}>
          {item.bad && <Icon of={TriangleAlert} size={14} />}
          <span>{item.text}</span>
        </p>
      );
  }
});

function Repository({ of }: { readonly of: ChangedRepository }) {
  const count = of.files.length + of.leftOut;
  return (
    <h3 class="change-repository">
      <Icon of={FolderGit2} size={14} />
      <span class="change-repository-name">{of.name}</span>
      {count > 0 && <span class="change-count">{plural(count, "file")}</span>}
    </h3>
  );
}

interface FileProps {
  readonly item: FileItem;
  onToggle(key: string): void;
  onFocus(key: string): void;
}

function File({ item, onToggle, onFocus }: FileProps) {
  const { file, key } = item.listed;
  const lacking = renderWord(file);
  return (
    <button
      type="button"
      class="change-file"
      aria-expanded={item.open}
      data-file={key}
      onClick={() => onToggle(key)}
      onFocus={() => onFocus(key)}
    >
      <Icon of={ChevronRight} size={14} class="change-chevron" />
      <Path file={file} />{" "}
      <span class={`change-status change-status-${file.status}`}>{statusWord(file)}</span>{" "}
      {lacking !== null && <span class="change-lacking">{lacking}</span>}{" "}
      {lengthOf(file) > 0 && <Counts added={file.additions ?? 0} removed={file.deletions ?? 0} />}
    </button>
  );
}

function Path({ file }: { readonly file: ChangedFile }) {
  return (
    <span class="change-path">
      {file.oldPath !== null && (
        <>
          <bdi>{file.oldPath}</bdi> → <span class="visually-hidden">now</span>
        </>
      )}
      <bdi>{file.path}</bdi>
    </span>
  );
}

function Lines({ item, want }: { readonly item: LinesItem } & Pick<ItemProps, "want">) {
  const { stale, listed, rows } = item;
  useEffect(() => {
    if (stale) {
      want(listed);
    }
  }, [stale, listed, want]);
  return (
    <figure class="change-lines" aria-label={`Changes in ${listed.file.path}`}>
      <DiffTable rows={rows} path={listed.file.path} />
    </figure>
  );
}

function Awaited({ listed, want }: { readonly listed: Listed } & Pick<ItemProps, "want">) {
  useEffect(() => want(listed), [listed, want]);
  return (
    <div class="change-awaited">
      <Skeleton lines={2} label={`Loading ${listed.file.path}`} />
    </div>
  );
}

function Failed({ why, onAgain }: { readonly why: string; onAgain(): void }) {
  return (
    <div class="change-said change-bad" role="alert">
      <Icon of={TriangleAlert} size={14} />
      <span>Its lines can't be loaded: {why}</span>
      <Button kind="quiet" icon={RotateCw} onClick={onAgain}>
        Try again
      </Button>
    </div>
  );
}
