"""OpenCode as a harness: a server process of its own, driven over HTTP and its event stream."""
