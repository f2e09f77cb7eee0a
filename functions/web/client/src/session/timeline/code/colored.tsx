/** Highlighted code as nodes; never as a string of HTML. */

import type { ComponentChildren } from "preact";
import type { Colored as Nodes } from "./highlight";
import "./code.css";

export function Colored({ nodes }: { readonly nodes: Nodes }) {
  return <>{nodes.map(colored)}</>;
}

function colored(node: Nodes[number]): ComponentChildren {
  if (node.type === "text") {
    return node.value;
  }
  if (node.type !== "element") {
    return null;
  }
  const names = node.properties.className;
  return (
    <span class={Array.isArray(names) ? names.join(" ") : undefined}>
      {(node.children as Nodes).map(colored)}
    </span>
  );
}
