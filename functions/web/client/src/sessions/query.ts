/** What the sessions page shows, as it stands in the address. */

export type Lifecycle = "open" | "archived" | "all";

export interface Asked {
  query: string;
  lifecycle: Lifecycle;
}

const LIFECYCLES: readonly string[] = ["open", "archived", "all"] satisfies Lifecycle[];

export function readAsked(search: string): Asked {
  const words = new URLSearchParams(search);
  const lifecycle = words.get("lifecycle") ?? "open";
  return {
    query: words.get("q") ?? "",
    lifecycle: LIFECYCLES.includes(lifecycle) ? (lifecycle as Lifecycle) : "open",
  };
}

export function addressOf({ query, lifecycle }: Asked): string {
  const words = new URLSearchParams();
  if (query) words.set("q", query);
  if (lifecycle !== "open") words.set("lifecycle", lifecycle);
  return words.size === 0 ? "/sessions" : `/sessions?${words}`;
}
