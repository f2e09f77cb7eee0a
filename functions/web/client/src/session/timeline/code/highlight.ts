/** Colours for code, loaded when there is the first code to colour and kept from then on. */

import { useEffect, useState } from "preact/hooks";
import { lookup } from "../../../design/lookup";

type Root = ReturnType<ReturnType<typeof import("lowlight")["createLowlight"]>["highlight"]>;
export type Colored = Root["children"];

/** Longer code is shown as it is: colouring it would hold up the page. */
const MOST_CHARS = 30_000;

type Highlighter = (code: string, language: string) => Colored | null;

let loading: Promise<Highlighter> | null = null;

async function load(): Promise<Highlighter> {
  const { common, createLowlight } = await import("lowlight");
  const lowlight = createLowlight(common);
  return (code, language) =>
    lowlight.registered(language) ? lowlight.highlight(language, code).children : null;
}

export function useColors(code: string, language: string, wanted: boolean): Colored | null {
  const [colored, setColored] = useState<{ code: string; nodes: Colored | null } | null>(null);
  useEffect(() => {
    if (!wanted || language === "" || code.length > MOST_CHARS) {
      return;
    }
    let current = true;
    loading ??= load();
    loading.then(
      (highlight) => later(() => current && setColored({ code, nodes: highlight(code, language) })),
      () => {
        loading = null; // offline, perhaps: the next code asks again
      },
    );
    return () => {
      current = false;
    };
  }, [code, language, wanted]);
  return colored?.code === code ? colored.nodes : null;
}

/** Each piece by itself: between two of them the page answers. */
function later(act: () => void): void {
  setTimeout(act);
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "bash",
  c: "c",
  cc: "cpp",
  cpp: "cpp",
  cs: "csharp",
  css: "css",
  go: "go",
  h: "c",
  html: "xml",
  java: "java",
  js: "javascript",
  json: "json",
  jsx: "javascript",
  kt: "kotlin",
  lua: "lua",
  md: "markdown",
  mjs: "javascript",
  php: "php",
  pl: "perl",
  py: "python",
  r: "r",
  rb: "ruby",
  rs: "rust",
  scss: "scss",
  sh: "bash",
  sql: "sql",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
};

/** By the end of a file's name; "" for what nobody knows. */
export function languageOf(path: string): string {
  const end = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return lookup(LANGUAGES, end) ?? "";
}
