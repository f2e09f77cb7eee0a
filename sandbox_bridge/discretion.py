"""What a launch tells in confidence, and how a process of ours keeps it out of all it writes."""

import atexit
import sys
from collections.abc import Mapping

from sandbox_bridge import log
from sandbox_bridge.environment import for_session
from sandbox_bridge.paths import Paths
from sandbox_bridge.redaction import Redactor, Speech
from shared.protocol.bridge import Identity


def of(identity: Identity, own: Mapping[str, str], paths: Paths) -> Redactor:
    """`own` is the environment of this process."""
    environment = for_session(own, identity.environment, paths)
    return Redactor(environment, identity.secret_names, others=[identity.token])


def everywhere(redact: Redactor) -> None:
    """From now on nothing that it knows is in our log or on our standard output and error."""
    log.hide(redact)
    sys.stdout, sys.stderr = Speech(sys.stdout, redact), Speech(sys.stderr, redact)
    for stream in (sys.stdout, sys.stderr):
        atexit.register(stream.end)
