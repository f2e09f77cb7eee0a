"""The deployment's secrets: one JSON object in Secrets Manager."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.domain.errors import Unavailable

_CONFIG = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 3, "mode": "standard"})


class SecretsManagerSecrets:
    """Read anew each time: a rotated key is in force at the next launch."""

    def __init__(self, session: BotocoreSession, arn: str) -> None:
        self._session = session
        self._arn = arn

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client("secretsmanager", config=_CONFIG)

    def all(self) -> Mapping[str, str]:
        try:
            answer = self._client.get_secret_value(SecretId=self._arn)
        except (ClientError, BotoCoreError) as error:
            raise Unavailable("the deployment's secrets cannot be read") from error
        loaded: dict[str, str] = json.loads(answer["SecretString"])
        return loaded
