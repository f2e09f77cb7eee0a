"""Wires the few that need a provider of sandboxes: the steps of the workflow, and the reaper."""

from functools import cache

from shared import wiring
from shared.app.app import App
from shared.app.identity import Endpoints
from shared.app.keeping import Keeper
from shared.app.launching import Launcher
from shared.app.lives import Lives
from shared.app.ports.sandboxes import AccessRefused, Sandboxes
from shared.app.ports.workspace import Secrets
from shared.app.reaper import Reaper
from shared.app.sessions import Sessions
from shared.domain.rate import Rate
from shared.settings import Settings
from shared.wiring import Ports


@cache
def lives() -> Lives:
    """The steps of the workflow: the one thing that needs a sandbox provider."""
    given, on = wiring.settings(), wiring.ports()
    return build_lives(given, on, wiring.app().sessions, _sandboxes(given, on.secrets))


@cache
def reaper() -> Reaper:
    given, on = wiring.settings(), wiring.ports()
    return build_reaper(given, on, wiring.app(), _sandboxes(given, on.secrets))


def build_lives(given: Settings, on: Ports, sessions: Sessions, sandboxes: Sandboxes) -> Lives:
    launcher = Launcher(
        sessions=sessions,
        sandboxes=sandboxes,
        secrets=on.secrets,
        secret_store=wiring.secret_store(on),
        rates=on.rates,
        endpoints=Endpoints(
            bridges_socket_url=given.bridges_socket_url,
            api_url=given.api_url,
            demo_model_url=given.demo_model_url,
            heartbeat_seconds=given.bridge_heartbeat.total_seconds(),
        ),
        deployment=_deployment(given),
        lifetime=given.sandbox_lifetime,
        creations=Rate(given.sandbox_creation_interval),
        clock=on.clock,
        sleep=on.sleep,
    )
    return Lives(
        sessions=sessions,
        timeline=on.timeline,
        launcher=launcher,
        keeper=Keeper(sessions=sessions, sandboxes=sandboxes, deployment=_deployment(given)),
        images=on.images,
        clock=on.clock,
    )


def build_reaper(given: Settings, on: Ports, app: App, sandboxes: Sandboxes) -> Reaper:
    return Reaper(
        sessions=app.sessions,
        idleness=app.idleness,
        store=on.store,
        sandboxes=sandboxes,
        workflow=on.workflow,
        deployment=_deployment(given),
        clock=on.clock,
    )


def _deployment(given: Settings) -> str:
    """Whose sandbox it is, where several deployments share a provider's key: a table has a name
    of its own, and keeps it.
    """
    return given.session_table


def _sandboxes(given: Settings, on: Secrets) -> Sandboxes:
    from shared.adapters.e2b_sandboxes.provider import (  # noqa: PLC0415  half a second
        E2BSandboxes,
    )

    api_key = on.all().get("E2B_API_KEY")
    if not api_key:
        raise AccessRefused("the deployment's secret has no E2B_API_KEY")
    return E2BSandboxes(
        api_key=api_key,
        template=given.sandbox_template,
        api_url=given.e2b_api_url or None,
        sandbox_url=given.e2b_sandbox_url or None,
    )
