"""Wires what is done on a schedule and needs the code hosts."""

from functools import cache

from shared import wiring
from shared.app.app import App
from shared.app.pull_request_sweep import PullRequestSweep
from shared.wiring import Ports


@cache
def pull_request_sweep() -> PullRequestSweep:
    return build_pull_request_sweep(wiring.ports(), wiring.app())


def build_pull_request_sweep(on: Ports, app: App) -> PullRequestSweep:
    return PullRequestSweep(
        news=app.pull_request_news,
        forges=on.forges,
        remembered=on.remembered,
        asked=on.forge_lists,
        clock=on.clock,
    )
