/** Names of secrets, as the server keeps them. */

export function isNamed(typed: string, names: ReadonlySet<string>): boolean {
  return names.has(typed.trim().toUpperCase());
}
