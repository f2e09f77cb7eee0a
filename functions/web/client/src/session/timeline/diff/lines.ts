/** Highlighted code, cut at its line ends: what spans several lines spans each of them. */

import type { Colored } from "../code/highlight";

type Node = Colored[number];

export function linesOf(nodes: Colored): Colored[] {
  const lines: Colored[] = [[]];
  for (const node of nodes) {
    const [first = [], ...others] = piecesOf(node);
    lines.at(-1)?.push(...first);
    lines.push(...others);
  }
  return lines;
}

function piecesOf(node: Node): Colored[] {
  if (node.type === "text") {
    return node.value.split("\n").map((value) => (value === "" ? [] : [{ type: "text", value }]));
  }
  if (node.type !== "element") {
    return [[]];
  }
  return linesOf(node.children as Colored).map((children) =>
    children.length === 0 ? [] : [{ ...node, children } as Node],
  );
}
