/** The sidebar: where one can go, and the inbox. */
export function Sidebar({ hidden }: { hidden: boolean }) {
  return <aside class="sidebar" aria-label="Sidebar" hidden={hidden} />;
}
