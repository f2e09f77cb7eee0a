"""Requests to this machine's own ports."""

import ssl
from collections.abc import Mapping

import httpx

_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Never used, and made once: making one for each request takes longer than the request."""


def ask(
    method: str, url: str, *, headers: Mapping[str, str] | None = None, body: object = None
) -> httpx.Response:
    return httpx.request(
        method, url, headers=headers, json=body, timeout=60, trust_env=False, verify=_NO_TLS
    )
