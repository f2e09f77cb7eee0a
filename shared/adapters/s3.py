"""Bytes under keys, in one private bucket."""

from functools import cached_property
from http import HTTPStatus
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session as BotocoreSession

from shared.domain.errors import NotFound, Unavailable

_CONFIG = Config(connect_timeout=2, read_timeout=8, retries={"max_attempts": 2, "mode": "standard"})

_ABSENT = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN})
"""Who may not list a bucket is told of nothing that is missing, only that it is not for them."""


class S3Objects:
    """The client is made at first use: its description of S3 is large, and most calls need none."""

    def __init__(self, session: BotocoreSession, bucket: str) -> None:
        self._session = session
        self._bucket = bucket

    @cached_property
    def _client(self) -> Any:
        return self._session.create_client("s3", config=_CONFIG)

    def put(self, key: str, content: bytes) -> None:
        self._ask("put_object", Key=key, Body=content)

    def get(self, key: str, *, offset: int = 0, length: int | None = None) -> bytes:
        last = "" if length is None else offset + length - 1
        answer = self._ask("get_object", Key=key, Range=f"bytes={offset}-{last}")
        try:
            return answer["Body"].read()
        except BotoCoreError as error:
            raise Unavailable("the file store broke off; try again") from error

    def copy(self, source: str, target: str) -> None:
        self._ask("copy_object", Key=target, CopySource={"Bucket": self._bucket, "Key": source})

    def delete(self, key: str) -> None:
        self._ask("delete_object", Key=key)

    def _ask(self, operation: str, **given: Any) -> Any:
        try:
            return getattr(self._client, operation)(Bucket=self._bucket, **given)
        except ClientError as error:
            status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
            if status in _ABSENT:
                raise NotFound("no such file") from error
            raise Unavailable("the file store refused; try again") from error
        except BotoCoreError as error:
            raise Unavailable("the file store does not answer; try again") from error
