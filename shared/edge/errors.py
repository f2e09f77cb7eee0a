"""The one table from what went wrong to what the caller is told."""

from http import HTTPStatus

from shared.domain.errors import (
    Conflict,
    Contended,
    DomainError,
    Forbidden,
    Invalid,
    NotFound,
    Rejected,
    Unauthenticated,
    Unavailable,
)

HTTP_STATUS: dict[type[DomainError], HTTPStatus] = {
    Invalid: HTTPStatus.UNPROCESSABLE_ENTITY,
    Unauthenticated: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Rejected: HTTPStatus.CONFLICT,
    Conflict: HTTPStatus.CONFLICT,
    Contended: HTTPStatus.SERVICE_UNAVAILABLE,
    Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}


def http_status(error: DomainError) -> HTTPStatus:
    """Of the class itself, or of the nearest one that it derives from."""
    for kind in type(error).__mro__:
        if kind in HTTP_STATUS:
            return HTTP_STATUS[kind]
    return HTTPStatus.BAD_REQUEST
