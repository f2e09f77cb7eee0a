"""When to ask again, and how long to wait before."""

from datetime import timedelta
from http import HTTPStatus

LATER = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
"""What a server answers that may answer otherwise in a moment."""

ASK_AGAIN = (timedelta(seconds=0.4), timedelta(seconds=1.2), timedelta(seconds=3))
"""Before each repetition of a request; then it is given up."""


RECONNECT_FIRST = timedelta(seconds=0.5)
RECONNECT_MOST = timedelta(seconds=30)


def full_jitter(failures: int, roll: float) -> timedelta:
    """Anywhere up to the bound, by a `roll` from [0, 1): a deploy cuts everybody at once."""
    # 2 ** 16 times the first bound is far beyond the cap, and still a number of sane size.
    bound = min(RECONNECT_FIRST * 2 ** min(failures, 16), RECONNECT_MOST)
    return bound * roll


def asking_again(method: str) -> str:
    if method == "GET":
        return "no answer yet; asking again"
    return "no answer yet; asking again, the same request, so nothing is done twice"
