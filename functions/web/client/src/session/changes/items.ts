/** The panel as one list, of which only what is in view is drawn: names, files and blocks of lines. */

import type { ChangedFile, ChangedRepository, ChangesView } from "../../protocol";
import type { DiffRow } from "../timeline/diff/rows";
import { filesOf, type Listed } from "./files";
import type { Patches } from "./patches";
import { nothingToShow } from "./words";

interface Keyed {
  readonly key: string;
}

export interface FileItem extends Keyed {
  readonly kind: "file";
  readonly listed: Listed;
  readonly open: boolean;
}

export interface LinesItem extends Keyed {
  readonly kind: "lines";
  readonly listed: Listed;
  readonly rows: readonly DiffRow[];
  /** They are of an older comparison. */
  readonly stale: boolean;
}

export type Item =
  | (Keyed & { readonly kind: "repository"; readonly repository: ChangedRepository })
  | FileItem
  | LinesItem
  | (Keyed & { readonly kind: "awaited"; readonly listed: Listed })
  | (Keyed & { readonly kind: "failed"; readonly listed: Listed; readonly why: string })
  | (Keyed & { readonly kind: "said"; readonly text: string; readonly bad: boolean });

/**
 * So many are drawn or left out together. Before they are measured they are taken to be as high as a
 * file's line: of larger blocks too many would be drawn at first.
 */
export const BLOCK = 10;

export function itemsOf(
  view: ChangesView,
  open: ReadonlyMap<string, boolean>,
  patches: Patches,
): readonly Item[] {
  const several = view.repositories.length > 1;
  return view.repositories.flatMap((repository) => [
    ...(several ? [named(repository)] : []),
    ...(repository.error === null ? [] : [said(repository, "error", repository.error, true)]),
    ...filesOf(repository).flatMap((listed) => [
      { kind: "file" as const, key: listed.key, listed, open: open.get(listed.key) ?? false },
      ...(open.get(listed.key) ? opened(listed, view.revision, patches) : []),
    ]),
    ...(several && repository.error === null && isUnchanged(repository)
      ? [said(repository, "none", "No changes")]
      : []),
    ...(repository.leftOut === 0
      ? []
      : [said(repository, "left out", leftOut(repository.leftOut, repository.files.length))]),
  ]);
}

/** Where the file before or after that one is, else the first. */
export function fileFrom(items: readonly Item[], key: string | null, by: 1 | -1): number | null {
  const files = items.flatMap((item, index) => (item.kind === "file" ? [{ item, index }] : []));
  const at = files.findIndex(({ item }) => item.key === key);
  const next = at < 0 ? 0 : Math.max(0, Math.min(files.length - 1, at + by));
  return files[next]?.index ?? null;
}

function named(repository: ChangedRepository): Item {
  return { kind: "repository", key: `${repository.name}\n`, repository };
}

function isUnchanged({ files, leftOut }: ChangedRepository): boolean {
  return files.length === 0 && leftOut === 0;
}

function leftOut(more: number, listed: number): string {
  const files = more === 1 ? "1 more file has" : `${more.toLocaleString("en")} more files have`;
  return `${files} changed: the list ends after ${listed.toLocaleString("en")}`;
}

function said(repository: ChangedRepository, what: string, text: string, bad = false): Item {
  return { kind: "said", key: `${repository.name}\n\n${what}`, text, bad };
}

function opened(listed: Listed, revision: string | null, patches: Patches): readonly Item[] {
  const known = patches.get(listed.key);
  const none = nothingToShow(listed.file);
  const key = (what: string) => `${listed.key}\n\n${what}`;
  if (none !== null) {
    return [{ kind: "said", key: key("none"), text: none, bad: false }];
  }
  if (known?.failed != null) {
    return [{ kind: "failed", key: key("failed"), listed, why: known.failed }];
  }
  if (known === undefined) {
    return [{ kind: "awaited", key: key("awaited"), listed }];
  }
  if (known.rows.length === 0) {
    return [{ kind: "said", key: key("empty"), text: noLines(listed.file), bad: false }];
  }
  const stale = known.revision !== revision;
  return blocks(known.rows).map((rows, at) => {
    return { kind: "lines", key: key(String(at)), listed, rows, stale };
  });
}

function noLines({ status }: ChangedFile): string {
  return status === "added" ? "An empty file" : "No lines have changed";
}

function blocks(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const count = Math.ceil(rows.length / BLOCK);
  return Array.from({ length: count }, (_, at) => rows.slice(at * BLOCK, (at + 1) * BLOCK));
}
