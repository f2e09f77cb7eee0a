"""The key that opens this machine's AWS APIs: random, made once, readable by its owner only."""

import hmac
import json
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

_CREDENTIAL = re.compile(r"Credential=([^/,\s]+)/")


@dataclass(frozen=True, slots=True)
class AccessKey:
    id: str
    secret: str

    def signed(self, authorization: str) -> bool:
        """Whether this key's id is in a request's `Authorization` header.

        The id itself is the secret here: the emulator checks no signatures, and nobody who may not
        call the APIs ever sees the id.
        """
        found = _CREDENTIAL.search(authorization)
        return found is not None and hmac.compare_digest(found[1].encode(), self.id.encode())


def load_or_create(path: Path) -> AccessKey:
    if not path.exists():
        _create(path)
    content = json.loads(path.read_text())
    return AccessKey(id=content["accessKeyId"], secret=content["secretAccessKey"])


def _create(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Never twelve digits: the emulator would take such a key for an account of its own.
    content = {
        "accessKeyId": f"OUTBOARD{secrets.token_hex(16).upper()}",
        "secretAccessKey": secrets.token_urlsafe(32),
    }
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file)
    draft.replace(path)
