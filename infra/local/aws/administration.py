"""What `infra/local/deploy` tells and asks the host: short paths, and what is deployed."""

import json
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from infra.local.aws.aliases import Aliases
from infra.local.aws.ledger import Ledger

PREFIX = "/_outboard/"

type Body = Callable[[], Awaitable[bytes]]


class Administration:
    """Behind the front door: whoever gets here has the key."""

    def __init__(self, ledger: Ledger, aliases: Aliases) -> None:
        self._ledger = ledger
        self._aliases = aliases

    async def answer(self, method: str, path: str, body: Body) -> tuple[HTTPStatus, Any]:
        match method, path.removeprefix(PREFIX).split("/"):
            case "PUT", ["aliases"]:
                return self._set_aliases(await body())
            case "GET", ["deployments", stack]:
                return self._deployment(stack)
            case "PUT", ["deployments", stack]:
                return self._note_deployment(stack, await body())
            case _:
                return HTTPStatus.NOT_FOUND, {"message": f"nothing at {path!r}"}

    def _set_aliases(self, body: bytes) -> tuple[HTTPStatus, Any]:
        try:
            self._aliases.replace(json.loads(body))
        except ValueError as error:
            return HTTPStatus.BAD_REQUEST, {"message": str(error)}
        return HTTPStatus.OK, {}

    def _deployment(self, stack: str) -> tuple[HTTPStatus, Any]:
        for (body,) in self._ledger.read("SELECT body FROM deployment WHERE stack = ?", stack):
            return HTTPStatus.OK, json.loads(body)
        return HTTPStatus.NOT_FOUND, {"message": f"no deployment of {stack!r} is noted"}

    def _note_deployment(self, stack: str, body: bytes) -> tuple[HTTPStatus, Any]:
        self._ledger.write(
            "INSERT OR REPLACE INTO deployment VALUES (?, ?)", stack, json.dumps(json.loads(body))
        )
        return HTTPStatus.OK, {}
