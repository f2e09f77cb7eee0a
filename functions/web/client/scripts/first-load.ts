/** A build whose first page needs more script than it may fails, and says what is large. */

import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const KB = 1_024;
const MOST = 200 * KB;
const NAMED = 5;

interface Chunk {
  readonly type: "chunk";
  readonly fileName: string;
  readonly code: string;
  readonly isEntry: boolean;
  /** Those that it can't begin without. */
  readonly imports: readonly string[];
}

export type Bundle = Readonly<Record<string, Chunk | { readonly type: "asset" }>>;

export function firstLoad(): Plugin {
  return {
    name: "first-load",
    apply: "build",
    generateBundle(_, bundle) {
      const sizes = sizesOf(bundle as Bundle);
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      const words = `first load: ${kilobytes(total)} of script, gzipped (${biggest(sizes)})`;
      if (total > MOST) {
        this.error(
          `${words}; at most ${kilobytes(MOST)}: import what a first page can do without on demand`,
        );
      }
      this.info(words);
    },
  };
}

/** Of every chunk that the page loads before it can begin, gzipped. */
export function sizesOf(bundle: Bundle): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  const ahead = Object.values(bundle).filter((part) => part.type === "chunk" && part.isEntry);
  for (let chunk = ahead.pop(); chunk !== undefined; chunk = ahead.pop()) {
    if (chunk.type === "chunk" && !sizes.has(chunk.fileName)) {
      sizes.set(chunk.fileName, gzipSync(chunk.code).length);
      ahead.push(...chunk.imports.flatMap((name) => bundle[name] ?? []));
    }
  }
  return sizes;
}

function biggest(sizes: ReadonlyMap<string, number>): string {
  const ordered = [...sizes].sort(([, one], [, other]) => other - one).slice(0, NAMED);
  return ordered.map(([name, size]) => `${name} ${kilobytes(size)}`).join(", ");
}

function kilobytes(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}
