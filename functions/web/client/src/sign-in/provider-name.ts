/** Providers as they call themselves. */

const NAMES = new Map([
  ["github", "GitHub"],
  ["gitlab", "GitLab"],
]);

export function providerName(provider: string): string {
  return NAMES.get(provider) ?? provider;
}
