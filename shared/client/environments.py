"""Environments on this side: found by name or id, named with their repositories, and shown."""

from collections.abc import Sequence

from shared.client.api import Api, Notice
from shared.client.errors import Refused
from shared.client.lines import Line, Tone
from shared.client.repository import is_here, target
from shared.client.untrusted import clean_line
from shared.client.views import repository, table
from shared.domain.environment import name_key
from shared.protocol.api import NewRepository
from shared.protocol.environments import EnvironmentView


async def find(api: Api, given: str) -> EnvironmentView:
    """Raises `Refused` when there is none of that name or id."""
    found = (await api.environments()).environments
    named = (each for each in found if name_key(each.name) == name_key(given))
    meant = next((each for each in found if each.id == given), None) or next(named, None)
    if meant is None:
        raise Refused(f"no environment {given!r}", code="not_found")
    return meant


async def targets(api: Api, given: Sequence[str], notice: Notice) -> list[NewRepository]:
    """Raises `Refused`, `Unreachable`."""
    asked = [_place_and_branch(one) for one in given]
    return [await target(place, branch, api.deployment, notice) for place, branch in asked]


def _place_and_branch(given: str) -> tuple[str, str | None]:
    """What is there by its whole name has no branch behind it."""
    if is_here(given):
        return given, None
    place, _, branch = given.partition("#")
    return place, branch or None


def listed(found: Sequence[EnvironmentView]) -> tuple[Line, ...]:
    if not found:
        return (Line("no environments", Tone.DIM),)
    rows = [(each.id, clean_line(each.name), _labels(each)) for each in found]
    return table([("id", "name", "repositories"), *rows])


def shown(found: EnvironmentView) -> tuple[Line, ...]:
    facts = [
        ("description", clean_line(found.description)),
        *(("repository", repository(each.label, each.branch)) for each in found.repositories),
        ("changed", f"{found.updated_at:%Y-%m-%d %H:%M:%S %Z} by {clean_line(found.updated_by)}"),
        ("id", found.id),
    ]
    title = Line(f"environment {clean_line(found.name)}", Tone.STRONG)
    return (title, *table([(f"  {name}", value) for name, value in facts if value]))


def _labels(found: EnvironmentView) -> str:
    return ", ".join(repository(each.label, each.branch) for each in found.repositories)
