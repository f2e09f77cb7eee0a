"""An event loop on the virtual clock: the real bridge's coroutines, one turn after the other."""

import asyncio
import heapq
from asyncio import AbstractEventLoop, Future, Handle, Task, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from itertools import count
from typing import Any, override

_CLOSINGS = 8
_serial = count()


class _NumberedTask(Task[Any]):
    """Sets of tasks are walked in the same order in every run."""

    def __hash__(self) -> int:
        return self.number

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.number = next(_serial) % 1_000_003
        super().__init__(*args, **kwargs)


class VirtualLoop(AbstractEventLoop):
    """Moves only when `run` is called, until nobody in it has anything to do at this moment."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._ready: deque[Handle] = deque()
        self._timers: list[tuple[float, int, TimerHandle]] = []
        self._tasks: list[_NumberedTask] = []
        self.dead = False

    def run(self) -> None:
        asyncio._set_running_loop(self)
        try:
            self._turn()
        finally:
            asyncio._set_running_loop(None)

    def _turn(self) -> None:
        while not self.dead:
            while self._timers and self._timers[0][0] <= self._time():
                _, _, timer = heapq.heappop(self._timers)
                self._ready.append(timer)
            if not self._ready:
                return
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()

    def next_timer(self) -> float | None:
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def kill(self) -> None:
        """As SIGKILL does: nothing runs any more, and what still unwinds touches nothing."""
        self.dead = True
        self._ready.clear()
        self._timers.clear()
        tasks, self._tasks = self._tasks, []
        others = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            for task in tasks:
                task._log_destroy_pending = False  # pyright: ignore[reportAttributeAccessIssue]  it is asyncio's own
                _close(task.get_coro())
        finally:
            asyncio._set_running_loop(others)

    @override
    def time(self) -> float:
        return self._time()

    @override
    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        handle = Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    @override
    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> TimerHandle:
        return self.call_at(self._time() + delay, callback, *args, context=context)

    @override
    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> TimerHandle:
        handle = TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(_serial), handle))
        return handle

    def _timer_handle_cancelled(self, handle: TimerHandle) -> None:
        """Asyncio tells its loop; ours looks when the timer's time comes."""

    @override
    def create_future(self) -> Future[Any]:
        return Future(loop=self)

    @override
    def create_task(self, coro: Any, *, name: Any = None, context: Any = None, **_: Any) -> Any:
        if self.dead:
            coro.close()
        task = _NumberedTask(coro, loop=self, name=name or "task", context=context)
        self._tasks = [each for each in self._tasks if not each.done()]
        self._tasks.append(task)
        return task

    @override
    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What nobody asked for is the task's own; a bridge that failed is seen by its end."""

    @override
    def get_debug(self) -> bool:
        return False

    @override
    def is_running(self) -> bool:
        return True

    @override
    def is_closed(self) -> bool:
        return self.dead


def _close(coroutine: Coroutine[Any, Any, Any] | Any) -> None:
    for _ in range(_CLOSINGS):
        with suppress(BaseException):
            coroutine.close()
            return
