"""The deployment as a GitHub App: what it signs to be known as itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.app.ports.workspace import Secrets
from shared.domain.errors import Unavailable

KEY = "GITHUB_APP_PRIVATE_KEY"

_SKEW = timedelta(seconds=60)
_LIFE = timedelta(minutes=9)
"""GitHub takes ten minutes at most, by its own clock."""


@dataclass(frozen=True, slots=True)
class GitHubApp:
    app_id: str
    secrets: Secrets = field(repr=False)
    clock: Callable[[], datetime]

    def token(self) -> str:
        """Raises `Unavailable`."""
        # a socket's first message waits for imports, and never comes here
        import jwt  # noqa: PLC0415
        from jwt.exceptions import PyJWTError  # noqa: PLC0415

        now = self.clock()
        claims = {"iss": self.app_id, "iat": now - _SKEW, "exp": now + _LIFE}
        try:
            return jwt.encode(claims, self._key(), algorithm="RS256")
        except (PyJWTError, ValueError, TypeError):
            # the cause could quote the key
            raise Unavailable("the GitHub App's private key cannot be used") from None

    def _key(self) -> str:
        if key := self.secrets.all().get(KEY):
            return key.replace("\\n", "\n")
        raise Unavailable(f"this deployment has no {KEY} among its secrets")
