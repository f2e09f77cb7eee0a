"""Takes secrets out of all that is said outside of the sandbox, and out of what is kept of it."""

from sandbox_bridge.redaction.forms import HIDDEN, SHORTEST_SECRET
from sandbox_bridge.redaction.redactor import Redactor
from sandbox_bridge.redaction.speech import LastWords, Speech
from sandbox_bridge.redaction.stream import Stream
from sandbox_bridge.redaction.terminal import plain, tail

__all__ = [
    "HIDDEN",
    "SHORTEST_SECRET",
    "LastWords",
    "Redactor",
    "Speech",
    "Stream",
    "plain",
    "tail",
]
