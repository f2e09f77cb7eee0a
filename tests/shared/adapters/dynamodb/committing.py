"""Commits for tests: what the use cases make of a command, without the use cases."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import Any

from shared.app.ports.sessions import Commit, Committed
from shared.domain.errors import Contended, Unavailable
from shared.domain.session.commands import Command, SubmitPrompt
from shared.domain.session.decide import decide
from shared.domain.session.decision import Decision
from shared.domain.session.evolve import evolve_all, touched
from shared.domain.session.facts import Event, TitleSet
from shared.domain.session.state import Session, SessionId
from shared.domain.timeline import Frame
from tests import build
from tests.build import ADA, NOW
from tests.shared.adapters.dynamodb.worlds import World

_ids = count(1)


def frame(name: str | None = None, *, attempt: int | None = None) -> Frame:
    name = name or f"frame-{next(_ids)}"
    return Frame(name, ({"type": "text", "text": name},), attempt)


def committing(before: Session, decision: Decision, now: datetime = NOW, **fields: Any) -> Commit:
    after = touched(before, evolve_all(before, decision.events), now)
    plain = Commit(
        before=before,
        after=after,
        facts=decision.events,
        effects=decision.effects,
        frame=frame(),
        after_slot=0,
        now=now,
    )
    return replace(plain, **fields)


def titled(before: Session, title: str, **fields: Any) -> Commit:
    return committing(before, Decision((TitleSet(title),)), **fields)


def stating(before: Session, *facts: Event, **fields: Any) -> Commit:
    return committing(before, Decision(facts), **fields)


def perform(
    world: World, command: Command, session_id: SessionId, *, now: datetime = NOW, **fields: Any
) -> Committed:
    """Load, decide, commit."""
    before = world.sessions.load(session_id)
    decision = decide(before, command, now=now)
    return world.sessions.commit(committing(before, decision, now, **fields))


def submit(text: str = "do it", *, model: str = "demo/scripted") -> SubmitPrompt:
    return SubmitPrompt(author=ADA, text=text, model=model)


def insist[T](call: Callable[[], T]) -> T:
    """As everybody does who is told that the store is unavailable."""
    for _ in range(10):
        try:
            return call()
        except (Unavailable, Contended):
            continue
    raise AssertionError("no answer")


def created(world: World, session: Session | None = None) -> Session:
    return world.sessions.create(session or build.session(), "fingerprint")
