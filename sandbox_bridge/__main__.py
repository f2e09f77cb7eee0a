"""`python -m sandbox_bridge`: the supervisor, the one thing that a launch starts in a sandbox."""

from sandbox_bridge.supervisor.main import main

raise SystemExit(main())
