"""Which isolation this machine allows, found out by booting a sandbox in it."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass

from infra.local.sandbox_host.groundwork import Groundwork
from infra.local.sandbox_host.guest import BootFailed, boot
from infra.local.sandbox_host.isolation import CHOICES, Place, missing_program, overlays
from infra.local.sandbox_host.journal import note
from infra.local.sandbox_host.machine import TEMPLATE, Machine
from infra.local.sandbox_host.records import Isolation

FORCED = "OUTBOARD_SANDBOX_ISOLATION"


class NoIsolation(Exception):
    """Not even the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Choice:
    isolation: Isolation
    weaker_because: Mapping[str, str]
    """Why each stronger one was not taken."""
    user: str
    """Who sandboxes are on this machine, in a sentence."""


async def choose(machine: Machine, forced: str | None) -> Choice:
    """The strongest that works, or the one that is forced. Raises NoIsolation."""
    if forced is not None and forced not in CHOICES:
        raise NoIsolation(f"{FORCED} is one of {', '.join(CHOICES)}, not {forced!r}")
    refused: dict[str, str] = {}
    for isolation in CHOICES:
        if forced in (None, isolation):
            reason = await _why_not(machine, isolation)
            if reason is None:
                return Choice(isolation, refused, _user(machine, isolation))
            refused[isolation] = reason
            note("isolation_refused", isolation=isolation, reason=reason)
        else:
            refused[isolation] = f"{FORCED}={forced}"
    raise NoIsolation(f"no sandbox can be started here: {refused}")


async def _why_not(machine: Machine, isolation: Isolation) -> str | None:
    if program := missing_program(isolation):
        return f"{program} is not installed"
    place = Place("probe", machine.store.home("probe"), ())
    machine.store.discard(place.home)
    try:
        groundwork = Groundwork(machine, isolation)
        await asyncio.to_thread(groundwork.lay_out_files, place, empty=overlays(isolation))
        await _try(machine, place, isolation)
    except (BootFailed, OSError) as error:
        return str(error) or type(error).__name__
    finally:
        machine.store.discard(place.home)
    return None


async def _try(machine: Machine, place: Place, isolation: Isolation) -> None:
    guest = await boot(isolation, machine, place)
    try:
        await guest.channel.ask("entries", path=f"{TEMPLATE}/bin", depth=1)
    except OSError as error:
        # As root, sandboxes are somebody else. No reason to take a weaker fence, where they aren't.
        message = f"sandboxes can't read {machine.template}: make it readable for everybody"
        raise NoIsolation(message) from error
    finally:
        await guest.end()


def _user(machine: Machine, isolation: Isolation) -> str:
    if isolation == "plain":
        return f"uid {os.geteuid()}, as this host, with nothing between"
    if machine.as_root:
        return f"uid {machine.uid} without capabilities, nobody else on this machine"
    return f"uid {os.geteuid()} without capabilities, seen as {machine.uid} inside"
