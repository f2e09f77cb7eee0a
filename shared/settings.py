"""Everything a function reads from its environment: each variable once, for both of its sides.

`infra` sets the variables by these field names and `wiring` reads them, so neither can drift. A
function gets the ones it needs; the others keep the product's default, or stay empty.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    session_table: str = ""
    workspace_table: str = ""

    clients_api_url: str = ""
    """`@connections` of the browsers' WebSocket API."""
    bridges_api_url: str = ""
    clients_socket_url: str = ""
    """What a client is told to connect to."""
    bridges_socket_url: str = ""

    api_url: str = ""
    """What a sandbox is told to ask by HTTP."""

    files_bucket: str = ""
    life_machine_arn: str = ""
    timer_group: str = ""
    timer_role_arn: str = ""
    inactivity_function_arn: str = ""
    secrets_arn: str = ""

    e2b_api_url: str = ""
    """Empty: E2B's own."""
    e2b_sandbox_url: str = ""
    sandbox_template: str = "outboard"
    default_model: str = ""
    """Empty: the first that the keys at hand can reach."""
    demo_model_url: str = ""
    loopback: bool = False
    """Everything is on one machine: a repository may be at an http:// address of its own."""

    github_url: str = "https://github.com"
    github_api_url: str = "https://api.github.com"
    github_app_id: str = ""
    """Empty: GitHub is used as anybody may who has not signed in."""
    gitlab_url: str = ""
    """Empty: there is none that this deployment has a token for."""

    connect_watchdog: timedelta = timedelta(minutes=4)
    sandbox_boot_timeout: timedelta = timedelta(minutes=30)
    heartbeat_timeout: timedelta = timedelta(seconds=90)
    sandbox_inactivity_timeout: timedelta = timedelta(minutes=10)
    sandbox_lifetime: timedelta = timedelta(hours=24)
    """What a provider is asked for; it may give less."""
    bridge_heartbeat: timedelta = timedelta(seconds=30)
    stop_confirmation: timedelta = timedelta(seconds=15)
    final_snapshot_buffer: timedelta = timedelta(minutes=10)
    """Before a sandbox's lifetime is over it is put away in order."""
    snapshot_interval: timedelta = timedelta(minutes=5)
    """Between two copies of a session's files that nobody asked for."""
    sandbox_creation_interval: timedelta = timedelta(seconds=1)
    """Between two creations: E2B's lowest plan takes one in a second."""

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        given = {name: env.get(variable(name), "") for name in names()}
        return cls(**{name: _read(name, text) for name, text in given.items() if text})


_DEFAULTS = Settings()


def names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Settings))


def variable(name: str) -> str:
    """The environment variable of a setting; a duration's says its unit."""
    unit = "_MS" if isinstance(default(name), timedelta) else ""
    return f"{name.upper()}{unit}"


def default(name: str) -> str | bool | timedelta:
    return getattr(_DEFAULTS, name)


def text(value: str | bool | timedelta) -> str:  # noqa: FBT001 - a value, not a switch
    """A value as its variable holds it."""
    match value:
        case bool():
            return "true" if value else ""
        case timedelta():
            return str(value // timedelta(milliseconds=1))
        case str():
            return value


def _read(name: str, given: str) -> Any:
    match default(name):
        case bool():
            return given == "true"
        case timedelta():
            return timedelta(milliseconds=_whole(name, given))
        case str():
            return given


def _whole(name: str, given: str) -> int:
    if not given.isdecimal() or int(given) == 0:
        raise ValueError(f"{variable(name)} is {given!r}: it has to be a number of milliseconds")
    return int(given)
