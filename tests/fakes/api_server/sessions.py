"""What the scripted server knows: sessions with their prompts and timelines, and its script."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from shared.domain.repository_url import directory
from shared.protocol import api, client, server_events
from shared.protocol.settings import SandboxSettingsView
from shared.protocol.tokens import TokenCounts

PATIENCE = timedelta(seconds=20)
"""How long the script waits for a client to do its part."""

OWN = {
    "artifact_created",
    "prompt_dispatched",
    "prompt_finished",
    "prompt_queued",
    "sandbox_spawning",
    "sandbox_status",
    "session_status",
    "stop_requested",
    "title",
}

PENDING = api.SandboxView(
    status="pending",
    attempt=None,
    phase=None,
    repository=None,
    error=None,
    expires_at=None,
    tunnels={},
    saved_at=None,
)


class Push(StrEnum):
    """What becomes of the push of a slot."""

    LOST = "lost"
    TWICE = "twice"
    LATE = "late"
    """After the next one."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Go on when that many subscriptions were seen in all."""

    subscriptions: int = 1


@dataclass(frozen=True, slots=True)
class Hold:
    """Go on when the test says so."""

    until: threading.Event


@dataclass(frozen=True, slots=True)
class Close:
    """End all sockets, with this code."""

    code: int


type Step = BaseModel | Sequence[BaseModel] | Watched | Hold | Close
type Turn = Sequence[Step]


class Refusal(Exception):
    def __init__(self, status: int, code: str, message: str, name: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.view = api.ErrorView(code=code, message=message, field=name)


@dataclass(slots=True)
class Session:
    view: api.SessionView
    prompts: list[api.PromptView] = field(default_factory=list[api.PromptView])
    frames: list[client.Frame] = field(default_factory=list[client.Frame])
    answered: dict[str, tuple[api.NewPrompt, api.PromptAccepted]] = field(
        default_factory=dict[str, Any]
    )

    def change(self, **fields: Any) -> api.SessionView:
        self.view = self.view.model_copy(update=fields)
        return self.view

    def append(self, happened: Sequence[BaseModel], attempt: int | None = None) -> client.Frame:
        items = [_item(event) for event in happened]
        frame = client.Frame(seq=len(self.frames) + 1, at=_now(), attempt=attempt, items=items)
        self.frames.append(frame)
        for event in happened:
            if isinstance(event, server_events.PromptFinished):
                self._finish(event)
        return frame

    def _finish(self, event: server_events.PromptFinished) -> None:
        index = event.prompt - 1
        told = event.model_dump(include={"status", "error", "branch", "commit", "cost"})
        self.prompts[index] = self.prompts[index].model_copy(update=told)
        self.change(unfinished=max(self.view.unfinished - 1, 0), status=event.status)


def _item(event: BaseModel) -> client.Item:
    raw = event.model_dump(mode="json", by_alias=True, exclude_none=True)
    return client.Item(type=raw["type"] if raw["type"] in OWN else "sandbox_event", event=raw)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class Sessions:
    """`publish` hands a frame to whoever watches; `turns` are played one for each prompt."""

    publish: Callable[[str, client.Frame], None]
    close_all: Callable[[int], None]
    turns: list[Turn] = field(default_factory=list[Turn])
    demo: bool = False
    refusal: Refusal | None = None
    """Of every prompt."""
    known: dict[str, Session] = field(default_factory=dict[str, Session])
    subscriptions: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)
    _created: dict[str, str] = field(default_factory=dict[str, str])
    _players: list[threading.Thread] = field(default_factory=list[threading.Thread])

    def create(self, owner: str, new: api.NewSession) -> api.SessionView:
        with self.changed:
            session_id = self._created.setdefault(new.request_id, f"s{len(self.known) + 1}abcdef")
            if session_id not in self.known:
                self.known[session_id] = Session(self._view(session_id, owner, new))
            return self.known[session_id].view

    def _view(self, session_id: str, owner: str, new: api.NewSession) -> api.SessionView:
        repositories = [
            api.RepositoryView(
                url=about.url,
                name=directory(about.url),
                branch=about.branch,
                label=about.label or about.url,
            )
            for about in new.repositories or ()
        ]
        return api.SessionView(
            id=session_id,
            title=new.title,
            owner=owner,
            status="created",
            sandbox=PENDING,
            repositories=repositories,
            model=new.model or ("demo/scripted" if self.demo else "acme/large"),
            effort=new.effort,
            settings=SandboxSettingsView(),
            demo=self.demo,
            prompts=0,
            unfinished=0,
            finished=None,
            running=None,
            held=False,
            retry_at=None,
            branch=None,
            commit=None,
            cost=0.0,
            tokens=TokenCounts(),
            created_at=_now(),
            updated_at=_now(),
        )

    def get(self, session_id: str) -> Session:
        if session_id not in self.known:
            raise Refusal(404, "not_found", f"no session {session_id}")
        return self.known[session_id]

    def submit(self, session_id: str, user: str, new: api.NewPrompt) -> api.PromptAccepted:
        with self.changed:
            session = self.get(session_id)
            if self.refusal is not None:
                raise self.refusal
            if new.request_id in session.answered:
                asked, accepted = session.answered[new.request_id]
                if asked != new:
                    raise Refusal(409, "conflict", "this request id was used with other content")
                return accepted
            accepted = self._accept(session, user, new)
            session.answered[new.request_id] = (new, accepted)
        self._play(session_id, self.turns.pop(0) if self.turns else ())
        return accepted

    def _accept(self, session: Session, user: str, new: api.NewPrompt) -> api.PromptAccepted:
        if session.view.status in {"archived", "cancelled"}:
            raise Refusal(
                409, "rejected", f"a session that is {session.view.status} takes no prompts"
            )
        before = session.view.unfinished
        number = len(session.prompts) + 1
        session.change(prompts=number, unfinished=before + 1, status="active")
        author = new.author or api.AuthorView(name=user, email=f"{user}@users.outboard.invalid")
        session.prompts.append(_prompt(number, user, author, new, session.view.model))
        queued = server_events.PromptQueued(
            prompt=number, author=author.name, text=new.text[:100], model=session.view.model
        )
        self.publish(session.view.id, session.append([queued]))
        return api.PromptAccepted(number=number, position=before)

    def _play(self, session_id: str, turn: Turn) -> None:
        player = threading.Thread(target=self._perform, args=(session_id, turn), daemon=True)
        self._players.append(player)
        player.start()

    def _perform(self, session_id: str, turn: Turn) -> None:
        for step in turn:
            match step:
                case Watched(subscriptions=wanted):
                    with self.changed:
                        patience = PATIENCE.total_seconds()
                        self.changed.wait_for(lambda n=wanted: self.subscriptions >= n, patience)
                case Hold(until=until):
                    until.wait(PATIENCE.total_seconds())
                case Close(code=code):
                    self.close_all(code)
                case _:
                    self.say(session_id, step)

    def say(self, session_id: str, happened: BaseModel | Sequence[BaseModel]) -> None:
        several = [happened] if isinstance(happened, BaseModel) else happened
        with self.changed:
            self.publish(session_id, self.get(session_id).append(several))

    def join(self) -> None:
        for player in self._players:
            player.join(PATIENCE.total_seconds())


def _prompt(
    number: int, user: str, author: api.AuthorView, new: api.NewPrompt, model: str
) -> api.PromptView:
    return api.PromptView(
        number=number,
        status="queued",
        author=author,
        user=user,
        text=new.text,
        attachments=[],
        model=new.model or model,
        effort=new.effort,
        created_at=_now(),
        finished_at=None,
        error=None,
        branch=None,
        commit=None,
        cost=0.0,
        tokens=TokenCounts(),
    )
