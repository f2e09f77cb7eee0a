"""The host's own log: one JSON object per line on stderr, warnings of the emulator included."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime

_KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in _KNOWN},
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def configure() -> None:
    """Before the emulator is imported: it configures logging only if nobody has."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    logging.getLogger("infra.local").setLevel(logging.INFO)
    threading.excepthook = _log_thread


def _log_thread(died: threading.ExceptHookArgs) -> None:
    """A thread of an emulated service; the host goes on without it, but not in silence."""
    if died.exc_value is not None and not isinstance(died.exc_value, SystemExit):
        logging.getLogger(__name__).error("thread_died", exc_info=died.exc_value)
