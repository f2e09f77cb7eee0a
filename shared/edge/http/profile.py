"""`/sign-in` and `/me`: how a browser gets in and out, and who it is there."""

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import views
from shared.edge.http.resolver import app_of, user_of, visit_of
from shared.protocol import browser

router = APIGatewayHttpRouter()


@router.post("/sign-in/codes", tags=["sign-in"], status_code=HTTPStatus.CREATED)
def offer_code() -> browser.SignInCode:
    text, code = app_of(router).sign_ins.offer_code(user_of(router))
    return browser.SignInCode(code=text, expires_at=code.expires_at)


@router.post("/sign-in", tags=["sign-in"])
def sign_in(asked: Annotated[browser.SignIn, Body()]) -> browser.SignedIn:
    user, page_key = visit_of(router).sign_in(asked.code)
    me = views.of_me(user, via="cookie")
    return browser.SignedIn(**me.model_dump(), page_key=page_key)


@router.delete("/sign-in", tags=["sign-in"], status_code=HTTPStatus.NO_CONTENT)
def sign_out() -> Response[str]:
    visit_of(router).sign_out()
    return Response(status_code=HTTPStatus.NO_CONTENT, body="")


@router.post("/sign-out-everywhere", tags=["sign-in"], status_code=HTTPStatus.NO_CONTENT)
def sign_out_everywhere(
    asked: Annotated[browser.SignOutEverywhere, Body()],
) -> Response[str]:
    visit_of(router).sign_out_everywhere(with_tokens=asked.tokens)
    return Response(status_code=HTTPStatus.NO_CONTENT, body="")


@router.get("/me", tags=["workspace"])
def me() -> browser.Me:
    user, via = visit_of(router).asker()
    return views.of_me(user, via=via)


@router.patch("/me", tags=["workspace"])
def describe(asked: Annotated[browser.ProfileChange, Body()]) -> browser.Me:
    user, via = visit_of(router).asker()
    after = user
    if "display_name" in asked.model_fields_set:
        after = replace(after, display_name=asked.display_name or "")
    if "email" in asked.model_fields_set:
        after = replace(after, email=asked.email)
    return views.of_me(app_of(router).accounts.describe(user, after), via=via)
