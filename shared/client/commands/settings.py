"""`outboard settings [set | unset]`: what is chosen about sandboxes, everywhere or somewhere."""

from argparse import Namespace

from shared.client import settings, settings_view
from shared.client.api import Api
from shared.client.choices import ALL, CHOICES
from shared.client.console import Console
from shared.client.deployment import Deployment
from shared.client.errors import Refused
from shared.client.repository import address
from shared.protocol.settings import NewSandboxSettings, SandboxSettingsChoice, SettingsLevel


async def run(arguments: Namespace, deployment: Deployment, console: Console) -> int:
    given = arguments.repository
    repository = None if given is None else await address(given, deployment)
    async with Api(deployment, notice=console.remark) as api:
        level = await api.settings(repository)
        if arguments.verb is not None:
            level = await _change(api, repository, level, arguments)
        await _show(api, repository, level, console)
    return 0


async def _change(
    api: Api, repository: str | None, level: SettingsLevel, arguments: Namespace
) -> SettingsLevel:
    wanted = _wanted(level, arguments)
    if wanted.model_dump() == level.settings.model_dump():
        return level
    nothing = wanted == SandboxSettingsChoice()
    if repository is not None and nothing and level.version is not None:
        return await api.forget_settings(repository, level.version)
    new = NewSandboxSettings(settings=wanted, version=level.version)
    return await api.choose_settings(repository, new)


def _wanted(level: SettingsLevel, arguments: Namespace) -> SandboxSettingsChoice:
    """Raises `Refused`."""
    if arguments.verb == "unset":
        names = {setting.name for setting in CHOICES}
        return settings.without(
            level.settings, names if ALL in arguments.names else arguments.names
        )
    fields = [setting.field for setting in CHOICES]
    given = {name: it for name in fields if (it := getattr(arguments, name)) is not None}
    if not given:
        options = ", ".join(f"--{setting.name}" for setting in CHOICES)
        raise Refused(f"nothing to set: give one of {options}")
    return settings.with_chosen(level.settings, given)


async def _show(api: Api, repository: str | None, level: SettingsLevel, console: Console) -> None:
    value = level.model_dump(mode="json", by_alias=True)
    if repository is None:
        others = (await api.settings_of_repositories()).repositories
        own = [other.model_dump(mode="json", by_alias=True) for other in others]
        console.say(value | {"repositories": own}, settings_view.everywhere(level, others))
        return
    in_effect = await api.settings_in_effect(repository)
    whole = in_effect.settings.model_dump(mode="json", by_alias=True)
    console.say(value | {"inEffect": whole}, settings_view.of_repository(level, in_effect))
