"""Invocations of our functions: each may stand still, fail or die at any call that it makes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shared.app.ports.sandboxes import SandboxLimited, SandboxRefused, SandboxUnavailable
from shared.domain.errors import Contended, Unavailable
from tests.fakes.store_faults import Fault
from tests.simulation.interleaving import Interleaver, Killed, Still
from tests.simulation.nature import Nature

_KILLED_BEFORE = "lambda killed before a call"
_KILLED_AFTER = "lambda killed after a call"
_STALLED = "lambda stalled"


@dataclass(frozen=True, slots=True)
class Ended[T]:
    """What became of an invocation; neither result nor error: it was killed."""

    result: T | None = None
    error: Exception | None = None
    killed: bool = False


@dataclass(slots=True)
class _Invocation:
    name: str
    until: float


@dataclass(frozen=True, slots=True)
class Manners:
    """How the calls to one kind of port go wrong, before they take effect and afterwards."""

    before: tuple[str, ...]
    after: tuple[str, ...]


READING = Manners((_KILLED_BEFORE, _STALLED, "read failed"), (_KILLED_AFTER, _STALLED))
WRITING = Manners((_KILLED_BEFORE, _STALLED), (_KILLED_AFTER, _STALLED))
PROVIDING = Manners(
    (_KILLED_BEFORE, "provider slow", "provider failed before"),
    (_KILLED_AFTER, "provider late", "provider failed after success"),
)
MAKING = Manners((*PROVIDING.before, "provider refused", "provider at its limit"), PROVIDING.after)
CONDUCTING = Manners(
    (_KILLED_BEFORE, _STALLED, "workflow call failed"), (_KILLED_AFTER, "workflow answer lost")
)
POSTING = Manners((_KILLED_BEFORE, _STALLED), (_KILLED_AFTER,))

_RAISES: dict[str, Callable[[], Exception]] = {
    "read failed": lambda: Unavailable("the read failed"),
    "provider failed before": lambda: SandboxUnavailable("no answer"),
    "provider failed after success": lambda: SandboxUnavailable("the answer was lost"),
    "provider at its limit": lambda: SandboxLimited("too many"),
    "provider refused": lambda: SandboxRefused("no capacity"),
    "workflow call failed": lambda: Unavailable("the call failed"),
    "workflow answer lost": lambda: Unavailable("its answer was lost"),
}
_WRITE_FAULTS = {
    "write never arrived": Fault.DROPPED,
    "write's answer lost": Fault.LOST,
    "transaction conflict": Fault.CONFLICT,
}
_AT_A_WRITE = (*_WRITE_FAULTS, _STALLED)


class Lambdas:
    def __init__(self, nature: Nature, interleaver: Interleaver) -> None:
        self.nature = nature
        self._interleaver = interleaver
        self._now: _Invocation | None = None
        self.refused_until = 0.0
        """The provider makes and wakes nothing before that."""

    def call[T](self, name: str, work: Callable[[], T], *, limit: float = 29.0) -> Ended[T]:
        """Returns when it is over, however long that takes and whoever acts meanwhile."""
        if self.nature.chaos.strikes("invocation lost"):
            self.nature.tell(f"{name}: never ran")
            return Ended(killed=True)
        self._now = _Invocation(name, self.nature.agenda.now + limit)
        try:
            result = work()
        except Killed:
            self.nature.tell(f"{name}: killed")
            return Ended(killed=True)
        except Exception as error:  # noqa: BLE001  the caller is what would see it
            self.nature.tell(f"{name}: {type(error).__name__}: {error}")
            return Ended(error=error)
        finally:
            self._now = None
        return Ended(result)

    def meet(self, what: str, kinds: tuple[str, ...]) -> None:
        """An opportunity for faults; nothing when no function of ours is at work."""
        if self._now is None:
            return
        if "provider refused" in kinds and self.nature.agenda.now < self.refused_until:
            raise SandboxRefused("no more sandboxes on this plan")
        kind = self.nature.chaos.one_of(kinds)
        if kind is not None:
            self._suffer(kind, what)

    def at_a_write(self) -> Fault | None:
        if self._now is None:
            return None
        kind = self.nature.chaos.one_of(_AT_A_WRITE)
        if kind == _STALLED:
            self._stall("a write", 0.0, 2.0)
        elif kind is not None:
            self.nature.tell(f"{self._now.name}: {kind}")
        return _WRITE_FAULTS.get(kind or "")

    def sleep(self, seconds: float) -> None:
        """A function of ours waits. What is shorter than anything else here takes no time."""
        if self._now is not None and seconds >= 0.5:
            self._stall("a sleep", seconds, seconds)

    def _suffer(self, kind: str, what: str) -> None:
        assert self._now is not None
        self.nature.tell(f"{self._now.name}: {kind} ({what})")
        if kind in {_KILLED_BEFORE, _KILLED_AFTER}:
            raise Killed
        if kind in _RAISES:
            error = _RAISES[kind]()
            raise error
        slow = kind != _STALLED and self.nature.rng.random() < 0.3
        self._stall(what, 0.0, 200.0 if slow else 3.0)

    def _stall(self, what: str, low: float, high: float) -> None:
        me, nature = self._now, self.nature
        assert me is not None
        delay = nature.within(low, high)

        def wait(still: Still) -> None:
            nature.agenda.add(delay, f"{me.name} goes on", lambda: self._interleaver.go_on(still))

        self._now = None
        self._interleaver.stand_still(wait)
        self._now = me
        nature.tell(f"{me.name}: goes on after {what}")
        if nature.agenda.now > me.until:
            nature.tell(f"{me.name}: was too slow")
            raise Killed


class Guarded:
    """A port whose every call is an opportunity."""

    def __init__(self, port: object, lambdas: Lambdas, manners: Manners, **others: Manners) -> None:
        self._port = port
        self._lambdas = lambdas
        self._manners = manners
        self._others = others

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._port, name)
        manners = self._others.get(name, self._manners)
        meet = self._lambdas.meet

        def guarded(*args: Any, **kwargs: Any) -> Any:
            meet(name, manners.before)
            result = method(*args, **kwargs)
            meet(name, manners.after)
            return result

        setattr(self, name, guarded)
        return guarded


def patiently[T](nature: Nature, write: Callable[[], T]) -> T:
    """As the real adapter does: what is of unknown result is asked again, a few times."""
    for _ in range(3):
        try:
            return write()
        except (Unavailable, Contended):
            if nature.rng.random() < 0.3:
                raise
    return write()
