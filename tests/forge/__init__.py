"""GitHub on loopback: real git, scoped tokens, and calls that are held to GitHub's own OpenAPI."""
