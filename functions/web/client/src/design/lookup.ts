/** What a table says of a name that others chose: `constructor` is in no table of ours. */
export function lookup<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
