/** One session: its timeline, and the composer for what comes next. */
export function SessionPage({ id }: { id: string }) {
  return <p>{id}</p>;
}
