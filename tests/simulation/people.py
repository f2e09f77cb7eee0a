"""People: they ask, ask again when no answer comes, change their minds, and watch."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from shared.app.app import App
from shared.domain.errors import Contended, DomainError, Unavailable
from shared.domain.session import commands
from shared.domain.session.state import SessionId, UserId
from shared.protocol.api import NewPrompt
from tests.simulation.book import Book, Violation
from tests.simulation.lambdas import Ended, Lambdas
from tests.world import AUTHOR

ADA: Final = UserId("ada")
_IN_CHAOS: Final = {
    "prompt": 30,
    "prompt again": 6,
    "stop": 8,
    "stop that prompt": 5,
    "cancel a prompt": 6,
    "archive": 3,
    "unarchive": 4,
    "rename": 2,
    "cancel": 0.12,
}


@dataclass(slots=True)
class _Asked:
    request: NewPrompt
    answered: bool = False


class People:
    """Of one session."""

    def __init__(self, app: App, lambdas: Lambdas, session: SessionId, book: Book) -> None:
        self._app = app
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._session = session
        self._book = book
        self._asked: list[_Asked] = []
        self.acted: Counter[str] = Counter()

    @property
    def waiting(self) -> bool:
        return any(not asked.answered for asked in self._asked)

    def act(self) -> None:
        kinds = [kind for kind in _IN_CHAOS if self._can(kind)]
        (kind,) = self._nature.rng.choices(kinds, [_IN_CHAOS[kind] for kind in kinds])
        self.acted[kind] += 1
        self._nature.tell(f"somebody: {kind}")
        self._do(kind)

    def _can(self, kind: str) -> bool:
        return kind != "prompt again" or bool(self._asked)

    def _do(self, kind: str) -> None:
        newest = max(self._book.accepted, default=1)
        match kind:
            case "prompt":
                self.prompt()
            case "prompt again":
                self._ask(self._nature.rng.choice(self._asked))
            case "stop":
                self.tell(commands.Stop(ADA))
            case "stop that prompt":
                self.tell(commands.Stop(ADA, self._nature.rng.randint(1, newest)))
            case "cancel a prompt":
                self.tell(commands.CancelPrompt(self._nature.rng.randint(max(1, newest - 2), newest)))
            case "archive":
                self.tell(commands.Archive(ADA))
            case "unarchive":
                self.tell(commands.Unarchive(ADA))
            case "rename":
                self.tell(commands.Rename("a name"))
            case _:
                self.tell(commands.Cancel(ADA))

    def prompt(self) -> NewPrompt:
        name = self._nature.new_id("request")
        asked = _Asked(NewPrompt(request_id=name, text=f"do {name}", author=AUTHOR))
        self._asked.append(asked)
        self._ask(asked)
        return asked.request

    def _ask(self, asked: _Asked) -> None:
        """Until there is an answer: a request that may have been heard is asked again."""
        ended = self._call("prompt", lambda: self._app.desk.submit(self._session, ADA, asked.request))
        if ended.result is not None:
            asked.answered = True
            self._nature.tell(f"{asked.request.request_id} is prompt {ended.result.prompt}")
            self._book.accept(ended.result.prompt, asked.request.request_id)
        elif ended.killed or isinstance(ended.error, Contended | Unavailable):
            if not asked.answered:
                self._nature.later("asks again", lambda: self._ask(asked), 1.0, 20.0)
        else:
            asked.answered = True

    def tell(self, command: commands.Command) -> Ended[object]:
        """Once; people look what came of it and ask again if they still want it."""
        handle = self._app.sessions.handle
        return self._call(type(command).__name__, lambda: handle(self._session, command))

    def _call[T](self, name: str, work: Callable[[], T]) -> Ended[T]:
        ended = self._lambdas.call(f"http {name}", work)
        if ended.error is not None and not isinstance(ended.error, DomainError):
            raise Violation(f"{name} failed with {ended.error!r}") from ended.error
        return ended
