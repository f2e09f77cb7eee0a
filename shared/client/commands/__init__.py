"""The commands: `run(arguments, deployment, console)` of each module answers an exit status."""
