"""Lambdas that stand still in their middle while others act: one loop, many stacks, one turn.

Each thread is a stack of its own and exactly one of them moves at a time, so a run is as repeatable
as on one stack. A switch happens only where a Lambda is made to stand still, or goes on.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass


class Killed(BaseException):
    """The Lambda is gone: not an `Exception`, so that no code of ours can answer it."""


class _Late(BaseException):
    """A stack of an earlier run: what it still had to do is nobody's any more."""


class _Seat:
    def __init__(self) -> None:
        self._turn = threading.Semaphore(0)

    def wait(self) -> None:
        self._turn.acquire()

    def wake(self) -> None:
        self._turn.release()


@dataclass(slots=True, eq=False)
class Still:
    """A Lambda that stands still."""

    seat: _Seat
    doomed: bool = False


class Interleaver:
    def __init__(self) -> None:
        self._idle: list[_Seat] = []
        self._still: list[Still] = []
        self._here = threading.local()
        self._step: Callable[[], bool] = lambda: False
        self._over = True
        self._run = 0
        self._main: _Seat | None = None
        self._failure: BaseException | None = None

    def run(self, step: Callable[[], bool]) -> None:
        """Until it answers False. What it raises, on whichever stack, is raised here."""
        self._step, self._over, self._failure = step, False, None
        self._run += 1
        self._main = self._me()
        self._loop()
        self._end()
        if self._failure is not None:
            raise self._failure

    def stand_still(self, still_in: Callable[[Still], None]) -> None:
        """`still_in` is told how to have it go on. Raises `Killed` when it never will."""
        if self._over:
            raise Killed
        me = self._me()
        still = Still(me)
        self._still.append(still)
        still_in(still)
        self._next().wake()
        me.wait()
        if still.doomed:
            raise Killed

    def go_on(self, still: Still) -> None:
        """The last thing that a step does: this stack rests meanwhile."""
        run = self._run
        self._still.remove(still)
        self._pass_to(still.seat)
        if self._run != run:
            raise _Late

    def _loop(self) -> None:
        while not self._over:
            try:
                self._over = not self._step() or self._over
            except _Late:
                continue
            except BaseException as failure:  # noqa: BLE001  it is raised again by `run`
                self._failure = self._failure or failure
                self._over = True

    def _end(self) -> None:
        """Unwind who still stands, then let the main stack return."""
        me, run = self._me(), self._run
        while self._run == run:
            if self._still:
                still = self._still.pop()
                still.doomed = True
                self._pass_to(still.seat)
            elif me is self._main:
                return
            else:
                assert self._main is not None
                self._idle.remove(self._main)
                self._pass_to(self._main)
                return

    def _pass_to(self, seat: _Seat) -> None:
        me = self._me()
        self._idle.append(me)
        seat.wake()
        me.wait()

    def _next(self) -> _Seat:
        if self._idle:
            return self._idle.pop()
        seat = _Seat()
        threading.Thread(target=self._work, args=(seat,), daemon=True).start()
        return seat

    def _work(self, seat: _Seat) -> None:
        self._here.seat = seat
        seat.wait()
        while True:
            self._loop()
            self._end()

    def _me(self) -> _Seat:
        seat: _Seat | None = getattr(self._here, "seat", None)
        if seat is None:
            seat = self._here.seat = _Seat()
        return seat
