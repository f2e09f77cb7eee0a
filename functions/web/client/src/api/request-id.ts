/** Ids that make asking twice asking once. */

export function newRequestId(): string {
  // Not `randomUUID`: a page that is reached by plain http in a local network has none.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
