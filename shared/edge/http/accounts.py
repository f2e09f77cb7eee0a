"""`/accounts`: those at providers that whoever asks has connected, or connects now."""

from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app.connected_accounts import Connected, Returned
from shared.app.ports.workspace import User
from shared.domain.errors import Forbidden
from shared.edge.http.resolver import app_of, user_of, visit_of
from shared.edge.http.sign_in import Provider, back
from shared.protocol import accounts as wire

router = APIGatewayHttpRouter()


@router.get("/accounts", tags=["sign-in"])
def listed() -> wire.AccountList:
    user, app = user_of(router), app_of(router)
    return wire.AccountList(
        accounts=[_view(found) for found in app.connected_accounts.of(user)],
        offered=sorted(app.connected_accounts.providers),
    )


@router.post("/accounts/<provider>", tags=["sign-in"])
def start(provider: Provider) -> wire.AccountDeparture:
    _, login = _signed_in()
    departure = app_of(router).connected_accounts.start(login, provider, back(router, provider))
    visit_of(router).remember_sign_in(departure.verifier)
    return wire.AccountDeparture(address=departure.address)


@router.put("/accounts/<provider>", tags=["sign-in"])
def finish(provider: Provider, asked: Annotated[wire.NewAccount, Body()]) -> wire.AccountView:
    user, login = _signed_in()
    came = Returned(asked.state, asked.code, visit_of(router).take_sign_in())
    accounts = app_of(router).connected_accounts
    return _view(accounts.finish(user, login, provider, came, back(router, provider))[0])


@router.delete("/accounts/<provider>", tags=["sign-in"], status_code=HTTPStatus.NO_CONTENT)
def disconnect(provider: Provider) -> Response[str]:
    app_of(router).connected_accounts.disconnect(user_of(router), provider)
    return Response(status_code=HTTPStatus.NO_CONTENT, body="")


def _signed_in() -> tuple[User, str]:
    """With the hash of the login. Raises `Unauthenticated`, `Forbidden`."""
    user = user_of(router)
    login = visit_of(router).login_hash
    if login is None:
        raise Forbidden("an account is connected in a browser that is signed in")
    return user, login


def _view(found: Connected) -> wire.AccountView:
    account = found.account
    return wire.AccountView(provider=account.provider, login=account.login, tokens=found.tokens)
