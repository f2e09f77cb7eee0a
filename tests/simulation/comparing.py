"""What turns have changed, in a simulated sandbox: compared and handed in by the real reporter."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from sandbox_bridge.boot.gate import BootGate
from sandbox_bridge.changes.reporter import Desk, Reporter
from sandbox_bridge.files.server import FileFailed
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.harness.seam import Emit
from shared.domain.errors import Unauthenticated
from shared.protocol.change_bundles import (
    BundledFile,
    BundledRepository,
    ChangesTaken,
    NewChanges,
)
from tests.simulation.agent import Place
from tests.simulation.disk import TurnMarker
from tests.simulation.eventloop import VirtualLoop
from tests.simulation.gateway import Gateway
from tests.simulation.lambdas import Ended
from tests.simulation.nature import Nature
from tests.simulation.wires import send

REPOSITORY = "tool"
PAUSES = (1.0, 5.0, None)
"""Before it is asked again, in seconds."""

ANSWERED_WITHIN = 30.0


def patch_of(number: int) -> str:
    return f"+the work of prompt {number}\n"


def bundle(numbers: Iterable[int]) -> BundledRepository:
    """A file for each turn whose work is there."""
    files = [
        BundledFile(
            path=str(number),
            status="added",
            additions=1,
            render="renderable",
            patch=patch_of(number),
        )
        for number in sorted(numbers)
    ]
    return BundledRepository(name=REPOSITORY, files=files, additions=len(files))


class HandingIn:
    """One bridge's requests: lost, late and repeated, on the way there and on the way back."""

    def __init__(
        self,
        nature: Nature,
        gateway: Gateway,
        loop: VirtualLoop,
        token: str,
        go: Callable[[], None],
    ) -> None:
        self.nature = nature
        self._gateway = gateway
        self._loop = loop
        self._token = token
        self._go = go
        self.under_way = False

    async def __call__(self, new: NewChanges) -> ChangesTaken:
        self.under_way = True
        try:
            return await self._patiently(new)
        finally:
            self.under_way = False

    async def _patiently(self, new: NewChanges) -> ChangesTaken:
        """As `sandbox_bridge.files.server` asks."""
        for pause in PAUSES:
            ended = await self._asked(new)
            if ended.result is not None:
                return ended.result
            if isinstance(ended.error, Unauthenticated):
                break
            if pause is not None:
                await asyncio.sleep(pause)
        raise FileFailed("nobody answers")

    async def _asked(self, new: NewChanges) -> Ended[ChangesTaken]:
        answered: asyncio.Future[Ended[ChangesTaken]] = self._loop.create_future()

        def answer(ended: Ended[ChangesTaken]) -> None:
            if not self._loop.dead and not answered.done():
                answered.set_result(ended)
                self._go()

        def arrive() -> None:
            ended = self._gateway.take(self._token, new)
            send(self.nature, "server", "changes answered", lambda: answer(ended))

        send(self.nature, "bridge", "changes handed in", arrive)
        late = self._loop.call_later(
            ANSWERED_WITHIN, lambda: answered.done() or answered.set_result(Ended())
        )
        try:
            return await answered
        finally:
            late.cancel()


def reporter(
    place: Place, gate: BootGate, emit: Emit, marker: TurnMarker, *, hand_in: HandingIn
) -> Reporter:
    nature = hand_in.nature

    async def compare(_: Checkout) -> BundledRepository:
        await asyncio.sleep(nature.within(0.0, 2.0))
        found = bundle(place.found())
        place.book.compared(marker.prompt, [int(file.path) for file in found.files])
        return found

    checkout: Any = None
    desk = Desk(
        checkouts=(checkout,),
        gate=gate,
        emit=emit,
        hand_in=hand_in,
        prompt=lambda: marker.prompt,
        now=nature.clock,
        look=compare,
    )
    return Reporter(desk)
