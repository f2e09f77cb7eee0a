"""GitHub, as a GitHub App that people install on their repositories."""
