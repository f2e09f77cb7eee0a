"""Which repositories are served, under which unguessable id; kept in a file."""

import json
import os
import secrets
import threading
from pathlib import Path


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
            self._save()
            return made

    def get(self, repository_id: str) -> Path | None:
        path = self._paths.get(repository_id)
        return Path(path) if path is not None else None

    def _save(self) -> None:
        draft = self._file.with_name(f"{self._file.name}.draft")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(self._paths, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._file)
