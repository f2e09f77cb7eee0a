"""What the stand-in tells of a pull request, signed as GitHub signs it."""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from tests.forge import shapes
from tests.forge.state import Repository


def about(repository: Repository, number: int, web_url: str, action: str) -> bytes:
    """As it is now: `action` is what has just been done."""
    told = shapes.pull(repository.pulls[number - 1])
    there = {
        "full_name": repository.full_name,
        "clone_url": f"{web_url}/{repository.full_name}.git",
    }
    sides = {side: {**told[side], "repo": there} for side in ("head", "base")}
    delivery: dict[str, Any] = {"action": action, "number": number, "repository": there}
    return json.dumps({**delivery, "pull_request": {**told, **sides}}).encode()


def signed(body: bytes, secret: str) -> Mapping[str, str]:
    digest = hmac.new(secret.encode(), body, sha256).hexdigest()
    return {
        "content-type": "application/json",
        "x-github-event": "pull_request",
        "x-hub-signature-256": f"sha256={digest}",
    }
