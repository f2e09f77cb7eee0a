"""One question at a time: who asks for what is being asked for already waits for that answer."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock

from shared.domain.errors import DomainError, Unavailable


class SingleFlight[T]:
    """Of the threads of one process."""

    def __init__(self) -> None:
        self._asking: dict[str, Future[T]] = {}
        self._lock = Lock()

    def run(self, what: str, ask: Callable[[], T]) -> T:
        """Raises what the one who asks does."""
        with self._lock:
            others = self._asking.get(what)
            ours = self._asking[what] = others or Future()
        return self._led(what, ours, ask) if others is None else others.result()

    def _led(self, what: str, answer: Future[T], ask: Callable[[], T]) -> T:
        try:
            found = ask()
        except DomainError as error:
            answer.set_exception(error)
            raise
        else:
            answer.set_result(found)
            return found
        finally:
            with self._lock:
                del self._asking[what]
            if not answer.done():
                answer.set_exception(Unavailable("whoever asked first has failed"))
