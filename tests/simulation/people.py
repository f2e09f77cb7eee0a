"""People: they ask, ask again when no answer comes, change their minds, and watch."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from shared.app.app import App
from shared.domain.errors import Contended, DomainError, Unavailable
from shared.domain.session import commands
from shared.domain.session.state import Session, SessionId, SessionStatus, UserId
from shared.protocol.api import NewPrompt
from tests import build
from tests.simulation.book import Book
from tests.simulation.lambdas import Ended, Lambdas
from tests.simulation.must import Violation, must
from tests.simulation.watcher import Watcher
from tests.world import AUTHOR

ADA: Final = UserId("ada")
ACTIONS: Final = {
    "prompt": 30,
    "prompt again": 6,
    "stop": 8,
    "stop that prompt": 5,
    "cancel a prompt": 6,
    "archive": 3,
    "unarchive": 4,
    "rename": 2,
    "resume the queue": 4,
    "type": 6,
    "save": 4,
    "begin anew": 1,
    "choose another": 2,
    "watch": 6,
    "leave": 3,
    "cancel": 0.12,
}

_COMMANDS: Final[Mapping[str, Callable[[int], commands.Command]]] = {
    "stop": lambda _: commands.Stop(ADA),
    "stop that prompt": lambda prompt: commands.Stop(ADA, prompt),
    "cancel a prompt": commands.CancelPrompt,
    "archive": lambda _: commands.Archive(ADA),
    "unarchive": lambda _: commands.Unarchive(ADA),
    "resume the queue": lambda _: commands.ResumeQueue(ADA),
    "type": lambda _: commands.Warm(),
    "save": lambda _: commands.SaveFiles(ADA),
    "begin anew": lambda _: commands.BeginAnew(ADA),
    "choose another": lambda some: commands.Choose(target=(build.repository(f"tool-{some}"),)),
    "rename": lambda some: commands.Rename(f"a name {some}"),
    "cancel": lambda _: commands.Cancel(ADA),
}


@dataclass(slots=True)
class _Asked:
    request: NewPrompt
    answered: bool = False


class People:
    """Of one session."""

    def __init__(
        self, app: App, lambdas: Lambdas, session: SessionId, book: Book, watcher: Watcher
    ) -> None:
        self._app = app
        self.watcher = watcher
        self._lambdas = lambdas
        self._nature = lambdas.nature
        self._session = session
        self._book = book
        self._asked: list[_Asked] = []
        self.acted: Counter[str] = Counter()
        self._telling = 0

    @property
    def waiting(self) -> bool:
        """Also for what was told: a stop under way means whatever runs when it arrives."""
        return self._telling > 0 or any(not asked.answered for asked in self._asked)

    def act(self) -> None:
        kinds = [kind for kind in ACTIONS if self._can(kind)]
        (kind,) = self._nature.rng.choices(kinds, [ACTIONS[kind] for kind in kinds])
        self.acted[kind] += 1
        self._nature.tell(f"somebody: {kind}")
        self._do(kind)

    def _can(self, kind: str) -> bool:
        match kind:
            case "prompt again":
                return bool(self._asked)
            case "watch" | "leave":
                return self.watcher.watching == (kind == "leave")
            case _:
                return True

    def _do(self, kind: str) -> None:
        match kind:
            case "prompt":
                self.prompt()
            case "prompt again":
                self._ask(self._nature.rng.choice(self._asked))
            case "watch":
                self.watcher.come()
            case "leave":
                self.watcher.leave()
            case _:
                self.tell(self._command(kind))

    def _command(self, kind: str) -> commands.Command:
        """About a prompt that may be any, or none any more."""
        newest = max(self._book.accepted, default=1)
        return _COMMANDS[kind](self._nature.rng.randint(max(1, newest - 2), newest))

    def prompt(self) -> NewPrompt:
        name = self._nature.new_id("request")
        asked = _Asked(NewPrompt(request_id=name, text=f"do {name}", author=AUTHOR))
        self._asked.append(asked)
        self._ask(asked)
        return asked.request

    def _ask(self, asked: _Asked) -> None:
        """Until there is an answer: a request that may have been heard is asked again.

        On the socket, if one is open, or over HTTP.
        """
        request = asked.request
        if self._nature.rng.random() < 0.4:
            message = {"type": "prompt", **request.model_dump(by_alias=True, exclude_none=True)}
            if self.watcher.ask(message, lambda said: self._answered(asked, said)):
                self._again(asked, 20.0)
                return
        ended = self._call(
            "prompt", lambda: self._app.desk.submit(self._session, ADA, asked.request)
        )
        if ended.result is not None:
            asked.answered = True
            self._nature.tell(f"{asked.request.request_id} is prompt {ended.result.prompt}")
            self._book.accept(ended.result.prompt, asked.request.request_id)
        elif ended.killed or isinstance(ended.error, Contended | Unavailable):
            self._again(asked, 1.0)
        else:
            asked.answered = True

    def _answered(self, asked: _Asked, said: dict[str, Any]) -> None:
        if said["type"] == "prompt_accepted":
            asked.answered = True
            self._book.accept(said["prompt"], asked.request.request_id)
        elif said["code"] not in {"contended", "unavailable"}:
            asked.answered = True

    def _again(self, asked: _Asked, after: float) -> None:
        def ask() -> None:
            if not asked.answered:
                self._ask(asked)

        self._nature.later("asks again", ask, after, after + 20.0)

    def tell(self, command: commands.Command) -> Ended[Session]:
        """Once; people look what came of it and ask again if they still want it."""
        handle = self._app.sessions.handle
        self._telling += 1
        ended = self._call(type(command).__name__, lambda: handle(self._session, command))
        self._telling -= 1
        if ended.result is not None:
            name = type(command).__name__
            must(_shows(command, ended.result), f"{name} was answered, and nothing came of it")
        return ended

    def _call[T](self, name: str, work: Callable[[], T]) -> Ended[T]:
        ended = self._lambdas.call(f"http {name}", work)
        if ended.error is not None and not isinstance(ended.error, DomainError):
            raise Violation(f"{name} failed with {ended.error!r}") from ended.error
        return ended


def _shows(command: commands.Command, after: Session) -> bool:
    """Whether the answer is of a session that has heard the command."""
    match command:
        case commands.Cancel():
            return after.status is SessionStatus.CANCELLED
        case commands.Archive():
            return after.status is SessionStatus.ARCHIVED
        case commands.Unarchive():
            return after.status is not SessionStatus.ARCHIVED
        case commands.Rename(title):
            return after.title == title
        case commands.CancelPrompt(number):
            return all(prompt.number != number for prompt in after.queue)
        case _:
            return True
