"""Which scope each address of the API needs: the one place that says so.

An address is about what its first word says; one whose word is not here needs the widest scope.
What is for nobody in particular (signing in) or for sandboxes asks no scope of anybody.
"""

from collections.abc import Mapping

from shared.domain.access import Scope, Subject, needed

READING = frozenset({"GET", "HEAD"})

SUBJECTS: Mapping[str, Subject] = {
    "accounts": "tokens",
    "attachments": "work",
    "environments": "work",
    "forge": "work",
    "inbox": "work",
    "me": "work",
    "models": "work",
    "repositories": "work",
    "secrets": "secrets",
    "sessions": "work",
    "settings": "settings",
    "sign-in": "tokens",
    "sign-out-everywhere": "tokens",
    "tokens": "tokens",
    "users": "people",
}


def scope_of(method: str, path: str) -> Scope:
    """`path` as routes have it, without the API's prefix.

    A socket's ticket is for looking: the socket has the scope of whoever asked for it.
    """
    word = path.strip("/").partition("/")[0]
    looks = method in READING or path.endswith("/socket-ticket")
    return needed(SUBJECTS.get(word, "tokens"), changes=not looks)
