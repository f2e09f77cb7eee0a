"""Who may ask for what: every route of the HTTP API, and everybody who could ask.

`.` is let in, `-` is nobody we know (401), `x` may not (403), `?` is told there is no such thing.
The first column is a browser that grace, a member, is signed in with. `user` has her first token,
`other` that of another member, `owner` the owner's. `read`, `write` and `admin` are personal tokens
of hers; `expired` and `revoked` were. `sandbox` is her session's, alive; `dead` one that is over.
"""

import pytest

from functions.http_api.handler import routes
from tests.functions.authorisation import CALLERS, Scene

#            browser nobody user other owner read write admin expired revoked sandbox dead
TABLE = """
POST   /sessions                                       .  -  .  .  .   x  .  .   -  -   -  -
GET    /sessions                                       .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>                          .  -  .  .  .   .  .  .   -  -   -  -
PATCH  /sessions/<session_id>                          .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/archive                  .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/unarchive                .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/cancel                   .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/stop                     .  -  .  .  .   x  .  .   -  -   -  -
PUT    /sessions/<session_id>/choice                   .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/warm                     .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/snapshot                 .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/resume                   .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/anew                     .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/prompts                  .  -  .  .  .   x  .  .   -  -   -  -
GET    /sessions/<session_id>/prompts                  .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>/prompts/<number>         .  -  .  .  .   .  .  .   -  -   -  -
DELETE /sessions/<session_id>/prompts/<number>         .  -  .  .  .   x  .  .   -  -   -  -
GET    /sessions/<session_id>/timeline                 .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>/boots                    .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>/artifacts                .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>/participants             .  -  .  .  .   .  .  .   -  -   -  -
PUT    /sessions/<session_id>/read                     .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/socket-ticket            .  -  .  .  .   .  .  .   -  -   -  -
GET    /inbox                                          .  -  .  .  .   .  .  .   -  -   -  -
POST   /attachments                                    .  -  .  .  .   x  .  .   -  -   -  -
PUT    /attachments/<file>/parts/<part>                .  -  .  ?  ?   x  .  .   -  -   -  -
POST   /attachments/<file>/complete                    .  -  .  ?  ?   x  .  .   -  -   -  -
GET    /attachments/<file>/parts/<part>                .  -  .  ?  ?   .  .  .   -  -   -  -
GET    /repositories                                   .  -  .  .  .   .  .  .   -  -   -  -
POST   /repositories                                   .  -  .  .  .   x  .  .   -  -   -  -
GET    /models                                         .  -  .  .  .   .  .  .   -  -   -  -
POST   /sessions/<session_id>/environment              .  -  .  .  .   x  .  .   -  -   -  -
GET    /sessions/<session_id>/changes                  .  -  .  .  .   .  .  .   -  -   -  -
GET    /sessions/<session_id>/changes/<revision>/<file> .  -  .  .  .   .  .  .   -  -   -  -
POST   /sessions/<session_id>/changes/refresh          .  -  .  .  .   x  .  .   -  -   -  -
GET    /sessions/<session_id>/pull-requests            .  -  .  .  .   .  .  .   -  -   -  -
POST   /sessions/<session_id>/pull-requests            .  -  .  .  .   x  .  .   -  -   -  -
POST   /sessions/<session_id>/pull-requests/refresh    .  -  .  .  .   x  .  .   -  -   -  -
GET    /environments                                   .  -  .  .  .   .  .  .   -  -   -  -
POST   /environments                                   .  -  .  .  .   x  .  .   -  -   -  -
GET    /environments/<environment_id>                  .  -  .  .  .   .  .  .   -  -   -  -
PUT    /environments/<environment_id>                  .  -  .  .  .   x  .  .   -  -   -  -
DELETE /environments/<environment_id>                  .  -  .  .  .   x  .  .   -  -   -  -
GET    /forge/repositories                             .  -  .  .  .   .  .  .   -  -   -  -
GET    /forge/branches                                 .  -  .  .  .   .  .  .   -  -   -  -
GET    /repositories/about                             .  -  .  .  .   .  .  .   -  -   -  -
PUT    /repositories/about                             .  -  .  .  .   x  .  .   -  -   -  -

GET    /users                                          .  -  .  .  .   .  .  .   -  -   -  -
POST   /users                                          x  -  x  x  .   x  x  x   -  -   -  -
POST   /users/<name>/token                             .  -  .  x  .   x  x  .   -  -   -  -
GET    /settings/sandbox                               .  -  .  .  .   .  .  .   -  -   -  -
PUT    /settings/sandbox                               x  -  x  x  .   x  x  x   -  -   -  -
GET    /settings/sandbox/repositories                  .  -  .  .  .   .  .  .   -  -   -  -
GET    /settings/sandbox/repository                    .  -  .  .  .   .  .  .   -  -   -  -
PUT    /settings/sandbox/repository                    x  -  x  x  .   x  x  x   -  -   -  -
DELETE /settings/sandbox/repository                    x  -  x  x  .   x  x  x   -  -   -  -
GET    /settings/sandbox/resolved                      .  -  .  .  .   .  .  .   -  -   -  -
GET    /settings/pull-requests                         .  -  .  .  .   .  .  .   -  -   -  -
PUT    /settings/pull-requests                         x  -  x  x  .   x  x  x   -  -   -  -
GET    /settings/pull-requests/repository              .  -  .  .  .   .  .  .   -  -   -  -
PUT    /settings/pull-requests/repository              x  -  x  x  .   x  x  x   -  -   -  -
DELETE /settings/pull-requests/repository              x  -  x  x  .   x  x  x   -  -   -  -
GET    /secrets                                        .  -  .  .  .   x  x  .   -  -   -  -
PUT    /secrets                                        .  -  .  .  .   x  x  .   -  -   -  -
POST   /secrets/copy                                   .  -  .  .  .   x  x  .   -  -   -  -
DELETE /secrets/<name>                                 .  -  .  .  .   x  x  .   -  -   -  -
POST   /secrets/reading                                .  -  .  .  .   x  x  .   -  -   -  -
POST   /secrets/rotate                                 x  -  x  x  .   x  x  x   -  -   -  -

GET    /me                                             .  -  .  .  .   .  .  .   -  -   -  -
PATCH  /me                                             .  -  .  .  .   x  .  .   -  -   -  -
GET    /tokens                                         .  -  .  .  .   x  x  .   -  -   -  -
POST   /tokens                                         .  -  .  .  .   x  x  .   -  -   -  -
DELETE /tokens/<token_id>                              .  -  .  ?  ?   x  x  .   -  -   -  -
GET    /accounts                                       .  -  .  .  .   x  x  .   -  -   -  -
POST   /accounts/<provider>                            ?  -  x  x  x   x  x  x   -  -   -  -
PUT    /accounts/<provider>                            ?  -  x  x  x   x  x  x   -  -   -  -
DELETE /accounts/<provider>                            .  -  .  .  .   x  x  .   -  -   -  -
POST   /sign-in/codes                                  .  -  .  .  .   x  x  .   -  -   -  -
POST   /sign-out-everywhere                            .  -  .  .  .   x  x  .   -  -   -  -
POST   /sign-in                                        .  .  .  .  .   .  .  .   .  .   .  .
GET    /sign-in/providers                              .  .  .  .  .   .  .  .   .  .   .  .
GET    /sign-in/<provider>                             ?  ?  ?  ?  ?   ?  ?  ?   ?  ?   ?  ?
GET    /sign-in/<provider>/callback                    .  .  .  .  .   .  .  .   .  .   .  .
DELETE /sign-in                                        .  .  .  .  .   .  .  .   .  .   .  .
GET    /openapi.json                                   .  .  .  .  .   .  .  .   .  .   .  .

POST   /sandbox/attachments                            -  -  -  -  -   -  -  -   -  -   .  -
PUT    /sandbox/attachments/<file>/parts/<part>        -  -  -  -  -   -  -  -   -  -   .  -
POST   /sandbox/attachments/<file>/complete            -  -  -  -  -   -  -  -   -  -   .  -
GET    /sandbox/attachments/<file>/parts/<part>        -  -  -  -  -   -  -  -   -  -   .  -
POST   /sandbox/artifacts                              -  -  -  -  -   -  -  -   -  -   .  -
PUT    /sandbox/changes                                -  -  -  -  -   -  -  -   -  -   .  -
POST   /sandbox/git-credentials                        -  -  -  -  -   -  -  -   -  -   .  -
POST   /sandbox/gh-credentials                         -  -  -  -  -   -  -  -   -  -   .  -
POST   /sandbox/pull-requests                          -  -  -  -  -   -  -  -   -  -   .  -

POST   /webhooks/github                                -  -  -  -  -   -  -  -   -  -   -  -
"""

ROWS = [line.split() for line in TABLE.splitlines() if line]
SEEN = {401: "-", 403: "x", 404: "?"}
BROKEN = {422, 500}
"""Nothing was found out about who may: the row's request is not what the route takes."""


def _routes() -> set[str]:
    known = (*routes._static_routes, *routes._dynamic_routes)  # pyright: ignore[reportPrivateUsage]
    return {f"{route.method} {route.path}" for route in known}


def test_every_route_has_one_row():
    rows = [f"{method} {path}" for method, path, *_ in ROWS]

    assert sorted(rows) == sorted(_routes())
    assert [len(row) for row in ROWS] == [len(CALLERS) + 2] * len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:2]))
def test_a_route_lets_in_whom_its_row_says(row: list[str]):
    method, path, *expected = row

    statuses = {caller: Scene().status(caller, method, path) for caller in CALLERS}

    assert not BROKEN & set(statuses.values()), statuses
    assert {caller: SEEN.get(status, ".") for caller, status in statuses.items()} == dict(
        zip(CALLERS, expected, strict=True)
    )
