"""`/secrets`: what a scope has, by name. Nothing here is ever asked for a value, or says one.

Everybody may see the names. Those of everything are the owner's to change, the others anybody's.
"""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from shared.app import secret_readings, secret_views
from shared.domain import secrets
from shared.domain.repository_url import key
from shared.domain.secrets import Scope
from shared.edge.http.resolver import app_of, as_sent, user_of
from shared.protocol import secrets as wire

router = APIGatewayHttpRouter()

ScopeAsked = Annotated[wire.ScopeName, Query()]
TargetAsked = Annotated[str | None, Query(max_length=2_000)]


@router.get("/secrets", tags=["secrets"])
def names(scope: ScopeAsked, target: TargetAsked = None) -> wire.SecretList:
    user_of(router)
    contents = app_of(router).secret_store.vault.contents(_scope(scope, target))
    return secret_views.of_contents(contents)


@router.put("/secrets", tags=["secrets"])
def put(asked: Annotated[wire.NewSecrets, Body()]) -> wire.SecretList:
    """Safe to repeat: what is not named stays."""
    user, store = user_of(router), app_of(router).secret_store
    scope = secrets.scope(asked.scope, asked.target)
    return secret_views.of_contents(store.put(user, scope, secret_views.values_of(asked)))


@router.post("/secrets/copy", tags=["secrets"])
def copy(asked: Annotated[wire.NewCopy, Body()]) -> wire.SecretList:
    """Safe to repeat: those of these names are replaced."""
    user, store = user_of(router), app_of(router).secret_store
    copied = store.copy(user, asked.environment, key(asked.repository), asked.names)
    return secret_views.of_contents(copied)


@router.delete("/secrets/<name>", tags=["secrets"])
def remove(name: str, scope: ScopeAsked, target: TargetAsked = None) -> wire.SecretList:
    """Safe to repeat: gone is fine."""
    user, store = user_of(router), app_of(router).secret_store
    return secret_views.of_contents(store.remove(user, _scope(scope, target), name))


@router.post("/secrets/reading", tags=["secrets"])
def read(asked: Annotated[wire.NewReading, Body()]) -> wire.SecretReading:
    """What a `.env` file's text would set. Changes nothing."""
    user, store = user_of(router), app_of(router).secret_store
    scope = secrets.scope(asked.scope, asked.target)
    return secret_readings.reading(store, user, scope, asked.text)


@router.post("/secrets/rotate", tags=["secrets"])
def rotate(asked: Annotated[wire.NewRotation, Body()]) -> wire.Rotated:
    user, store = user_of(router), app_of(router).secret_store
    scope = None if asked.scope is None else secrets.scope(asked.scope, asked.target)
    rotated = store.rotate(user, scope)
    return wire.Rotated(scopes=[secret_views.of_contents(contents) for contents in rotated])


def _scope(kind: str, target: str | None) -> Scope:
    return secrets.scope(kind, None if target is None else as_sent(router, "target", target))
