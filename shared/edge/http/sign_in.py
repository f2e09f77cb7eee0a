"""`/sign-in/<provider>`: a browser goes to a provider and comes back with a one-use code.

Both answers are redirects, for a person looks at them. What went wrong is a word in the address of
the sign-in page; nothing that a provider has said is.
"""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.domain.errors import DomainError
from shared.edge.http.resolver import PREFIX, app_of, as_sent, visit_of
from shared.edge.log import logger
from shared.protocol.browser import ProviderList

router = APIGatewayHttpRouter()

PAGE = "/sign-in"

type Provider = Annotated[str, Path(pattern=r"^[a-z]{1,20}$")]
type Said = Annotated[str, Query(max_length=500)]


@router.get("/sign-in/providers", tags=["sign-in"])
def providers() -> ProviderList:
    return ProviderList(providers=sorted(app_of(router).provider_sign_ins.providers))


@router.get("/sign-in/<provider>", tags=["sign-in"], status_code=HTTPStatus.FOUND)
def start(provider: Provider) -> Response[str]:
    visit = visit_of(router)
    departure = app_of(router).provider_sign_ins.start(provider, _back(provider))
    visit.remember_sign_in(departure.verifier)
    return _to(departure.address)


@router.get("/sign-in/<provider>/callback", tags=["sign-in"], status_code=HTTPStatus.FOUND)
def finish(provider: Provider, state: Said = "", code: Said = "") -> Response[str]:
    verifier = visit_of(router).take_sign_in()
    ways_in, state = app_of(router).provider_sign_ins, as_sent(router, "state", state)
    try:
        if not code:
            ways_in.check_under_way(provider, state, verifier)
            return _to(f"{PAGE}?problem=declined")
        one_use = ways_in.finish(
            provider, state, as_sent(router, "code", code), verifier, _back(provider)
        )
    except DomainError as error:
        logger.info("sign_in_refused", code=error.code, provider=provider)
        return _to(f"{PAGE}?problem={error.code}")
    return _to(f"{PAGE}#{one_use}")


def _back(provider: str) -> str:
    return f"{visit_of(router).origin}{PREFIX}/sign-in/{provider}/callback"


def _to(address: str) -> Response[str]:
    headers: dict[str, str | list[str]] = {
        "location": address,
        "referrer-policy": "no-referrer",
    }
    return Response(status_code=HTTPStatus.FOUND, body="", headers=headers)
