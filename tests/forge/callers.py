"""Who asks the API, and what that one may."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import jwt

from tests.forge.state import GitHub, Issued, Person, Repository

_LONGEST = timedelta(minutes=10)


class Refused(Exception):
    def __init__(self, status: int, message: str, *errors: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors


@dataclass(frozen=True, slots=True)
class App:
    pass


@dataclass(frozen=True, slots=True)
class Nobody:
    pass


type Caller = App | Nobody | Issued | Person


def caller(github: GitHub, headers: Mapping[str, str]) -> Caller:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if not token:
        return Nobody()
    if scheme.lower() not in {"bearer", "token"}:
        raise Refused(401, "Bad credentials")
    if person := github.people.get(token):
        return person
    if issued := github.issued(token):
        return issued
    return _app(github, token)


def _app(github: GitHub, token: str) -> App:
    now = github.clock().timestamp()
    try:
        claims = jwt.decode(
            token,
            github.public_key,
            algorithms=["RS256"],
            issuer=github.app_id,
            options={"verify_exp": False, "verify_iat": False},
        )
    except jwt.PyJWTError:
        raise Refused(401, "Bad credentials") from None
    if not claims["iat"] <= now < claims["exp"] <= now + _LONGEST.total_seconds():
        raise Refused(401, "'Expiration time' claim ('exp') is too far in the future")
    return App()


def visible(github: GitHub, who: Caller, full_name: str) -> Repository:
    repository = github.repositories.get(full_name.lower())
    if repository is None:
        raise Refused(404, "Not Found")
    match who:
        case Issued() if who.covers(repository):
            return repository
        case Person() if repository.owner in {who.login, *who.organizations}:
            return repository
        case _ if not repository.private:
            return repository
        case _:
            raise Refused(404, "Not Found")


def demand(who: Caller, repository: Repository, permission: str, level: str) -> None:
    match who:
        case Issued() if who.covers(repository) and who.may(permission, level):
            return
        case Issued() if level == "read" and not repository.private:
            return
        case Nobody() if level == "read":
            return
        case Nobody():
            raise Refused(401, "Requires authentication")
        case Person():
            return
        case _:
            raise Refused(403, "Resource not accessible by integration")
