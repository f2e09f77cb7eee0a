"""Bytes that are sealed as a secret is, in one piece that can be kept anywhere."""

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass

from shared.app.ports.sealing import Sealed, Sealer, Unsealable
from shared.domain.errors import Unavailable

_NAME = "bytes"


@dataclass(frozen=True, slots=True)
class SealedBytes:
    """The port `Seal`, on the sealer of the secrets."""

    sealer: Sealer

    def seal(self, context: str, plain: bytes) -> bytes:
        sealed = self.sealer.seal(context, {_NAME: b64encode(plain).decode()})[_NAME]
        return json.dumps(asdict(sealed)).encode()

    def open(self, context: str, sealed: bytes) -> bytes:
        """Raises `Unavailable`, also for what does not open."""
        try:
            one = Sealed(**json.loads(sealed))
            return b64decode(self.sealer.open(context, {_NAME: one})[_NAME])
        except (Unsealable, ValueError, TypeError) as error:
            raise Unavailable("what was kept cannot be opened") from error
