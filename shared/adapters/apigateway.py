"""Posting to WebSocket connections through API Gateway's management API."""

from functools import cached_property
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.app.ports.connections import Gone
from shared.domain.errors import Unavailable

_CONFIG = Config(connect_timeout=1, read_timeout=2, retries={"max_attempts": 1, "mode": "standard"})
_GONE = {"GoneException", "NotFoundException", "404", "410"}


class ApiGatewaySockets:
    """One WebSocket API; `endpoint` is its stage's `@connections` address."""

    def __init__(self, session: BotocoreSession, endpoint: str) -> None:
        self._session = session
        self._endpoint = endpoint

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client(
            "apigatewaymanagementapi", endpoint_url=self._endpoint, config=_CONFIG
        )

    def post(self, connection_id: str, message: str) -> None:
        try:
            self._client.post_to_connection(ConnectionId=connection_id, Data=message.encode())
        except ClientError as error:
            raise _translated(error) from error
        except BotoCoreError as error:
            raise Unavailable("the socket API did not answer") from error

    def close(self, connection_id: str) -> None:
        try:
            self._client.delete_connection(ConnectionId=connection_id)
        except ClientError as error:
            problem = _translated(error)
            if isinstance(problem, Unavailable):
                raise problem from error
        except BotoCoreError as error:
            raise Unavailable("the socket API did not answer") from error


def _translated(error: ClientError) -> Gone | Unavailable:
    code = error.response.get("Error", {}).get("Code", "")
    if code in _GONE:
        return Gone(code)
    return Unavailable(f"the socket API refused: {code}")
