/** The changed files of a session, and which of them begin open. */

import type { ChangedFile, ChangedRepository, ChangesView } from "../../protocol";

export interface Listed {
  /** The same in each comparison, as the file's id is not. */
  readonly key: string;
  readonly file: ChangedFile;
}

/** More is opened by whoever wants to read it. */
const OPEN_FILES = 10;
const OPEN_LINES = 400;

export function filesOf(repository: ChangedRepository): readonly Listed[] {
  const times = new Map<string, number>();
  return repository.files.map((file) => {
    const name = `${repository.name}\n${file.path}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    // Names that are no UTF-8 may read the same.
    return { key: time === 1 ? name : `${name}\n${time}`, file };
  });
}

export function allFiles(view: ChangesView): readonly Listed[] {
  return view.repositories.flatMap(filesOf);
}

/** What was opened or folded stays so; of files that are new here, the first few begin open. */
export function opening(
  known: ReadonlyMap<string, boolean>,
  view: ChangesView,
): ReadonlyMap<string, boolean> {
  let files = 0;
  let lines = 0;
  const open = new Map(known);
  for (const { key, file } of allFiles(view)) {
    files += 1;
    lines += lengthOf(file);
    if (!open.has(key)) {
      open.set(key, file.render === "renderable" && files <= OPEN_FILES && lines <= OPEN_LINES);
    }
  }
  return open;
}

export function lengthOf({ additions, deletions }: ChangedFile): number {
  return (additions ?? 0) + (deletions ?? 0);
}
