"""Which repositories are served, under which unguessable id; kept in a file."""

import json
import secrets
import threading
from pathlib import Path

from infra.local import private


class Registry:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._paths: dict[str, str] = json.loads(file.read_text()) if file.is_file() else {}

    def add(self, top: Path) -> str:
        """The same path keeps its id: clones of earlier sessions push to it."""
        with self._lock:
            for known, path in self._paths.items():
                if path == str(top):
                    return known
            made = secrets.token_urlsafe(24)
            self._paths[made] = str(top)
            private.write(self._file, json.dumps(self._paths))
            return made

    def get(self, repository_id: str) -> Path | None:
        path = self._paths.get(repository_id)
        return Path(path) if path is not None else None
