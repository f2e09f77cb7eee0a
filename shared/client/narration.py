"""Telling what happens while it happens: to a person as lines, to a program as JSON."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Protocol

from shared.client import progress, render
from shared.client.console import Console
from shared.client.events import known
from shared.client.follow import Moment
from shared.client.lines import Line
from shared.client.progress import Progress
from shared.client.render import Teller
from shared.client.screen import Screen
from shared.client.wire import line
from shared.protocol.api import EntryView, SessionView

REDRAW = timedelta(seconds=0.5)

type Clock = Callable[[], Moment]


class Narrator(Protocol):
    def hear(self, entry: EntryView) -> None: ...

    def redraw(self) -> None: ...

    def end(self) -> None:
        """Nothing comes any more: say what was held back, and leave a clean screen."""
        ...


class Reader:
    """A person. `live` draws what goes on under the lines."""

    def __init__(
        self, screen: Screen, clock: Clock, teller: Teller, *, live: bool, demo: bool
    ) -> None:
        self._screen = screen
        self._clock = clock
        self._live = live and screen.live
        self._teller = teller
        self._progress = Progress.start(clock(), only=teller.only, demo=demo)

    def hear(self, entry: EntryView) -> None:
        width = self._screen.width if self._live else None
        words = replace(self._teller.prose, width=width)
        teller = replace(self._teller, prose=words)
        self._teller, lines = render.tell(teller, entry)
        if self._live and render.is_current(teller, entry):
            self._advance(entry)
        if lines:
            self._screen.show(lines)
        self.redraw()

    def redraw(self) -> None:
        if not self._live:
            return
        row = progress.row(self._progress, self._clock(), self._screen.width)
        unfinished = tuple(said.text for said in render.open_line(self._teller))
        self._screen.draw((*unfinished, row))

    def end(self) -> None:
        self._screen.show(render.open_line(self._teller))
        self._screen.close()

    def _advance(self, entry: EntryView) -> None:
        for event in map(known, entry.events):
            if event is not None:
                self._progress = progress.advance(self._progress, event, self._clock())


class Program:
    """Whoever reads `--json`: one entry a line, as the HTTP API shows it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def hear(self, entry: EntryView) -> None:
        self._screen.show((Line(line(entry)),))

    def redraw(self) -> None:
        pass

    def end(self) -> None:
        pass


def narrator(
    console: Console, session: SessionView, *, only: int | None = None, live: bool
) -> Narrator:
    """`only` leaves out the other prompts."""
    if console.json:
        return Program(console.screen)
    clock = asyncio.get_running_loop().time
    return Reader(
        console.screen,
        lambda: timedelta(seconds=clock()),
        Teller(only=only, several=len(session.repositories) > 1),
        live=live,
        demo=session.demo,
    )


@asynccontextmanager
async def telling(narrator: Narrator) -> AsyncGenerator[Narrator]:
    """Redraws while it lasts: time passes also when nothing happens."""
    redrawing = asyncio.create_task(_redraw(narrator))
    try:
        yield narrator
    finally:
        redrawing.cancel()
        await asyncio.gather(redrawing, return_exceptions=True)
        narrator.end()


async def _redraw(narrator: Narrator) -> None:
    while True:
        narrator.redraw()
        await asyncio.sleep(REDRAW.total_seconds())
