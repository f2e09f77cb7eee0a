"""The log: one JSON object a line, in a file that stays small. No payload, no token, no prompt."""

import json
import logging
from copy import copy
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from sandbox_bridge.redaction import Redactor
from sandbox_bridge.redaction.events import tree

MAX_BYTES = 1024 * 1024

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "taskName"}


_FORMATTER: Final = logging.Formatter()


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
            **fields,
        }
        if record.exc_info:
            line["traceback"] = record.exc_text or self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class _Discreet(logging.Filter):
    """Lets everything pass, without secrets: the words, the fields and a failure's traceback."""

    def __init__(self, redact: Redactor) -> None:
        super().__init__()
        self._redact = redact

    def filter(self, record: logging.LogRecord) -> logging.LogRecord:
        shown = copy(record)  # other handlers may have a use for it as it was
        shown.msg, shown.args = self._redact(record.getMessage()), None
        if record.exc_info:
            shown.exc_text = self._redact(_FORMATTER.formatException(record.exc_info))
        for name, value in vars(record).items():
            if name not in _STANDARD:
                setattr(shown, name, tree(_plain(value), self._redact))
        return shown


def _plain(value: object) -> object:
    """As it will be written: what JSON has no word for is what it says of itself."""
    return json.loads(json.dumps(value, default=str))


def hide(redact: Redactor) -> None:
    """From now on nothing that it knows is written."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(_Discreet(redact))


def to_file(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(_Json())
    # httpx tells the address of each request at INFO: not ours to keep.
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for chatty in ("httpx", "httpcore", "websockets", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
