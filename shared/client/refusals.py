"""What an answer that is no success means to whoever asked."""

from http import HTTPStatus

import httpx

from shared.client.errors import ClientError, Refused, Unreachable
from shared.client.wire import Garbled, read
from shared.protocol import api


def meaning(response: httpx.Response) -> ClientError:
    status = response.status_code
    try:
        view = read(api.ErrorView, response.text)
    except Garbled:
        view = api.ErrorView(code=f"http_{status}", message=f"the answer was HTTP {status}")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
        return Unreachable(f"the server failed: {view.message}", code=view.code)
    if view.field is not None and not view.message.startswith(view.field):
        return Refused(f"{view.field}: {view.message}", code=view.code)
    return Refused(view.message, code=view.code)
