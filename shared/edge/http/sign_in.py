"""`/sign-in/<provider>`: a browser goes to a provider and comes back with a one-use code.

Both answers are redirects, for a person looks at them. What went wrong is a word in the address of
the sign-in page; nothing that a provider has said is.
"""

from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import ways_out
from shared.domain.errors import Conflict, DomainError, Forbidden, NotFound, Unauthenticated
from shared.edge.http.resolver import PREFIX, app_of, as_sent, visit_of
from shared.edge.log import logger
from shared.protocol.accounts import SignInProblem
from shared.protocol.browser import ProviderList

router = APIGatewayHttpRouter()

PAGE = "/sign-in"
PROFILE = "/settings/profile"
"""Where an account is connected, by the page: on one machine a cookie alone is half a login."""

type Provider = Annotated[str, Path(pattern=r"^[a-z]{1,20}$")]
type Said = Annotated[str, Query(max_length=500)]


@router.get("/sign-in/providers", tags=["sign-in"])
def providers() -> ProviderList:
    return ProviderList(providers=sorted(app_of(router).provider_sign_ins.providers))


@router.get("/sign-in/<provider>", tags=["sign-in"], status_code=HTTPStatus.FOUND)
def start(provider: Provider) -> Response[str]:
    visit = visit_of(router)
    departure = app_of(router).provider_sign_ins.start(provider, back(router, provider))
    visit.remember_sign_in(departure.verifier)
    return _to(departure.address)


@router.get("/sign-in/<provider>/callback", tags=["sign-in"], status_code=HTTPStatus.FOUND)
def finish(provider: Provider, state: Said = "", code: Said = "") -> Response[str]:
    if ways_out.connects(visit_of(router).sign_in_under_way):
        return _to_connect(provider, as_sent(router, "state", state), as_sent(router, "code", code))
    verifier = visit_of(router).take_sign_in()
    ways_in, state = app_of(router).provider_sign_ins, as_sent(router, "state", state)
    try:
        if not code:
            ways_in.check(provider, state, verifier)
            return _refused("declined")
        one_use = ways_in.finish(
            provider, state, as_sent(router, "code", code), verifier, back(router, provider)
        )
    except DomainError as error:
        logger.info("sign_in_refused", code=error.code, provider=provider)
        return _refused(problem_of(error))
    return _to(f"{PAGE}#{one_use}")


def problem_of(error: DomainError) -> SignInProblem:
    match error:
        case Unauthenticated():
            return "unauthenticated"
        case Forbidden():
            return "forbidden"
        case NotFound():
            return "not_found"
        case Conflict():
            return "conflict"
        case _:
            return "unavailable"


def _to_connect(provider: str, state: str, code: str) -> Response[str]:
    """Behind `#`, which no server is told. The page has the login that this needs."""
    if not code:
        visit_of(router).take_sign_in()
        return _refused("declined", PROFILE)
    return _to(f"{PROFILE}#{urlencode({'connect': provider, 'state': state, 'code': code})}")


def _refused(problem: SignInProblem, page: str = PAGE) -> Response[str]:
    return _to(f"{page}?problem={problem}")


def back(router: APIGatewayHttpRouter, provider: str) -> str:
    """Where a provider sends browsers back to: the one callback that an App has registered."""
    return f"{visit_of(router).origin}{PREFIX}/sign-in/{provider}/callback"


def _to(address: str) -> Response[str]:
    headers: dict[str, str | list[str]] = {
        "location": address,
        "referrer-policy": "no-referrer",
    }
    return Response(status_code=HTTPStatus.FOUND, body="", headers=headers)
