"""AWS on one machine: MiniStack in this process, with what it lacks and Outboard relies on.

`python -m infra.local.aws` starts it. One adapter is one module; docs/adr/0001-local-aws-host.md
says why.
"""
