"""The host that is deployed to, and how to call it."""

import json
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config

from infra.local.aws import emulator
from infra.local.aws.access import AccessKey


@dataclass(frozen=True, slots=True)
class Target:
    endpoint: str
    key: AccessKey

    @property
    def port(self) -> int:
        return urlsplit(self.endpoint).port or 80

    def client(self, service: str) -> Any:
        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            region_name=emulator.REGION,
            aws_access_key_id=self.key.id,
            aws_secret_access_key=self.key.secret,
            config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
        )

    def ask(self, method: str, what: str, content: Any = None) -> tuple[int, Any]:
        """Call the host's own administration, which is no AWS API; status and answer."""
        headers = {"Authorization": f"Credential={self.key.id}/"}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request(method, f"/_outboard/{what}", json.dumps(content), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
