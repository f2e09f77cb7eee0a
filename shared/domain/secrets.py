"""What may be a secret, how many there may be, and which of them a session gets."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from shared.domain.errors import Invalid, Rejected
from shared.domain.repository_url import RepositoryKey, key

KIB: Final = 1024
MAX_NAME_CHARS: Final = 256
MAX_VALUE_BYTES: Final = 16 * KIB
MAX_SCOPE_BYTES: Final = 64 * KIB
"""Of the values of one scope together."""
MAX_SCOPE_SECRETS: Final = 50
MAX_SESSION_BYTES: Final = 128 * KIB
"""Of the values that one session gets."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ENVIRONMENT = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")

RESERVED: Final = frozenset(
    {
        *("PYTHONUNBUFFERED", "SANDBOX_ID", "CONTROL_PLANE_URL", "SANDBOX_AUTH_TOKEN"),
        *("REPO_OWNER", "REPO_NAME", "GITHUB_APP_TOKEN", "SESSION_CONFIG"),
        *("RESTORED_FROM_SNAPSHOT", "OPENCODE_CONFIG_CONTENT"),
        *("PATH", "HOME", "USER", "SHELL", "TERM", "PWD", "LANG"),
        # Where git works, what it runs and whom it asks is the bridge's business.
        *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
        *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
        *("GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT"),
        *("GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"),
        *("GIT_PAGER", "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER", "GIT_SSL_NO_VERIFY"),
    }
)
RESERVED_BEGINNINGS: Final = (
    *("OUTBOARD_", "OPENINSPECT_", "LD_"),
    *("GIT_CONFIG", "GIT_SSH", "GIT_TRACE"),
)
"""`GIT_TRACE` and its kin write what git sends, tokens included, wherever they are told to."""


class TooMuch(Rejected):
    """For one session, though each of its scopes has room for its own."""


class ScopeKind(StrEnum):
    GLOBAL = "global"
    TEAM = "team"
    """Reserved: nothing is offered in it."""
    REPOSITORY = "repository"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class Scope:
    """`target`: a repository's key or an environment's id; empty for what is everybody's."""

    kind: ScopeKind
    target: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.target}" if self.target else str(self.kind)


EVERYWHERE: Final = Scope(ScopeKind.GLOBAL)


def of_repository(repository: RepositoryKey) -> Scope:
    return Scope(ScopeKind.REPOSITORY, repository)


def of_environment(environment: str) -> Scope:
    """Raises `Invalid`."""
    if _ENVIRONMENT.match(environment) is None:
        raise Invalid("target", "it is no environment's id")
    return Scope(ScopeKind.ENVIRONMENT, environment)


def scope(kind: str, target: str | None) -> Scope:
    """As people name it. Raises `Invalid`."""
    match kind, target:
        case ScopeKind.GLOBAL, None:
            return EVERYWHERE
        case ScopeKind.GLOBAL, _:
            raise Invalid("target", "what is for everything has no target")
        case ((ScopeKind.REPOSITORY | ScopeKind.ENVIRONMENT), None):
            raise Invalid("target", f"say which {kind}")
        case ScopeKind.REPOSITORY, str():
            return of_repository(key(target))
        case ScopeKind.ENVIRONMENT, str():
            return of_environment(target)
        case _:
            raise Invalid("scope", "it has to be global, repository or environment")


def scopes(repositories: Sequence[RepositoryKey], environment: str | None = None) -> list[Scope]:
    """Those whose secrets a session gets, the weakest first: what comes later wins.

    An environment has secrets of its own, and those of its repositories stay out of it. Of several
    repositories the first one wins.
    """
    if environment is not None:
        return [EVERYWHERE, of_environment(environment)]
    of_repositories = map(of_repository, dict.fromkeys(repositories))
    return [EVERYWHERE, *reversed(list(of_repositories))]


def name(given: str) -> str:
    """In the one way it is kept. Raises `Invalid`, which does not repeat what may be a value."""
    if len(given) > MAX_NAME_CHARS:
        raise Invalid("name", f"it may have {MAX_NAME_CHARS} characters")
    if _NAME.match(given) is None:
        raise Invalid("name", "letters, digits and _ make a name, and no digit comes first")
    upper = given.upper()
    if upper in RESERVED or upper.startswith(RESERVED_BEGINNINGS):
        raise Invalid(upper, "this name is reserved")
    return upper


def size(of: str, value: str) -> int:
    """In bytes. Raises `Invalid`, which never says anything of the value but its length."""
    try:
        length = len(value.encode())
    except UnicodeEncodeError:
        raise Invalid(of, "the value is no text that has a UTF-8") from None
    if not value:
        raise Invalid(of, "the value is empty")
    if "\0" in value:
        raise Invalid(of, "there is a NUL in the value, which no environment can hold")
    if length > MAX_VALUE_BYTES:
        raise Invalid(of, f"the value has {length} bytes, and {MAX_VALUE_BYTES} are allowed")
    return length


def checked(given: Mapping[str, str]) -> dict[str, str]:
    """All by the names they are kept under. Raises `Invalid`."""
    kept: dict[str, str] = {}
    for asked, value in given.items():
        known = name(asked)
        if known in kept:
            raise Invalid(known, "it is given twice")
        size(known, value)
        kept[known] = value
    return kept


def check_room(sizes: Mapping[str, int]) -> None:
    """Of one scope, as it would be. Raises `Invalid`."""
    if len(sizes) > MAX_SCOPE_SECRETS:
        raise Invalid(
            "values", f"these would be {len(sizes)} secrets, and {MAX_SCOPE_SECRETS} are allowed"
        )
    total = sum(sizes.values())
    if total > MAX_SCOPE_BYTES:
        raise Invalid("values", f"these would be {total} bytes, and {MAX_SCOPE_BYTES} are allowed")


def merged(layers: Iterable[tuple[Scope, Mapping[str, str]]]) -> dict[str, str]:
    """The weakest first. Raises `TooMuch`."""
    given = list(layers)
    whole = {known: value for _, layer in given for known, value in layer.items()}
    if _bytes(whole) > MAX_SESSION_BYTES:
        shares = ", ".join(f"{_bytes(layer)} of {scope}" for scope, layer in given)
        raise TooMuch(
            f"{_bytes(whole)} bytes of secrets are more than the {MAX_SESSION_BYTES} a session may"
            f" have: {shares}"
        )
    return whole


def _bytes(values: Mapping[str, str]) -> int:
    return sum(len(value.encode()) for value in values.values())
