"""E2B by its own SDK. Nothing else imports that: it takes half a second of a cold start.

Not called `e2b`: the type checker takes this directory for an import root, where the SDK's own name
must stay free.
"""
