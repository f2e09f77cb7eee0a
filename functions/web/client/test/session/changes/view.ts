/** What the API tells of changes, made up. */

import type { ChangedFile, ChangedRepository, ChangesView } from "../../../src/protocol";

export function file(path: string, over: Partial<ChangedFile> = {}): ChangedFile {
  return {
    id: `id-${path}`,
    path,
    oldPath: null,
    status: "modified",
    additions: 1,
    deletions: 1,
    render: "renderable",
    ...over,
  };
}

export function repository(
  name: string,
  files: ChangedFile[],
  over: Partial<ChangedRepository> = {},
): ChangedRepository {
  return { name, base: "b", head: "h", files, leftOut: 0, error: null, ...over };
}

export function changes(
  repositories: ChangedRepository[],
  over: Partial<ChangesView> = {},
): ChangesView {
  const files = repositories.flatMap((each) => each.files);
  const sum = (field: "additions" | "deletions") =>
    files.reduce((all, each) => all + (each[field] ?? 0), 0);
  return {
    revision: "r1",
    comparedAt: "2026-01-01T12:00:00Z",
    prompt: 2,
    repositories,
    totals: { files: files.length, additions: sum("additions"), deletions: sum("deletions") },
    truncated: false,
    error: null,
    ...over,
  };
}

export const NEVER: ChangesView = changes([], { revision: null, comparedAt: null, prompt: null });

export const PATCH = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,2 @@
 one
-two
+2
`;
