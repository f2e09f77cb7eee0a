"""`outboard repo about`: what people say about a repository, for whoever has to find it."""

from argparse import Namespace

from shared.client.api import Api
from shared.client.console import Console
from shared.client.environments import find
from shared.client.lines import Line, Tone
from shared.client.repository import target
from shared.client.requests import build
from shared.client.untrusted import clean_line
from shared.client.views import table
from shared.protocol.environments import EnvironmentView
from shared.protocol.forge import NewRepositoryAbout, RepositoryAboutView

NONE = "none"
"""What takes away aliases, keywords or the environment."""


async def run(api: Api, arguments: Namespace, console: Console) -> None:
    url = (await target(arguments.repository, None, api.deployment, console.remark)).url
    about = await api.about(url)
    change = await _change(api, arguments)
    if change:
        kept = about.model_dump(exclude={"repository"})
        about = await api.say_about(url, build(NewRepositoryAbout, **(kept | change)))
    environments = (await api.environments()).environments if about.environment else []
    console.say(about, _lines(about, environments))


async def _change(api: Api, arguments: Namespace) -> dict[str, object]:
    """What is not named stays."""
    change: dict[str, object] = {}
    if arguments.description is not None:
        change["description"] = arguments.description
    if arguments.alias:
        change["aliases"] = _words(arguments.alias)
    if arguments.keyword:
        change["keywords"] = _words(arguments.keyword)
    if arguments.env == NONE:
        change["environment"] = None
    elif arguments.env is not None:
        change["environment"] = (await find(api, arguments.env)).id
    return change


def _words(given: list[str]) -> list[str]:
    return [] if given == [NONE] else given


def _lines(about: RepositoryAboutView, environments: list[EnvironmentView]) -> tuple[Line, ...]:
    named = {each.id: each.name for each in environments}
    facts = [
        ("description", about.description),
        ("aliases", ", ".join(about.aliases)),
        ("keywords", ", ".join(about.keywords)),
        ("environment", named.get(about.environment or "", about.environment or "")),
    ]
    rows = [(f"  {name}", clean_line(value)) for name, value in facts if value]
    title = Line(clean_line(about.repository), Tone.STRONG)
    return (title, *(table(rows) if rows else (Line("nothing is said about it", Tone.DIM),)))
