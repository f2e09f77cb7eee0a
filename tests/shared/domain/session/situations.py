"""Sessions in the situations that the rules are about, and the question put to them."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from shared.domain.session.commands import Command, FinishPrompt, Saved, SubmitPrompt
from shared.domain.session.decide import decide
from shared.domain.session.decision import Decision
from shared.domain.session.evolve import evolve_all
from shared.domain.session.facts import AttemptEnding, PromptFinished, SandboxMoved
from shared.domain.session.rules import DEFAULT_RULES, Moment, Rules
from shared.domain.session.sandbox import Attempt, Ending, ProviderId, SandboxStatus, Workspace
from shared.domain.session.state import (
    Prompt,
    PromptStatus,
    Running,
    Session,
    SessionStatus,
    Stopping,
    StopReason,
)
from tests import build

BOX = ProviderId("box-1")
EXPIRY = build.NOW + timedelta(hours=1)
NOW = Moment(build.NOW, DEFAULT_RULES)
STOPPING = Stopping(StopReason.ASKED, build.NOW + DEFAULT_RULES.stop_confirmation)
DRAINING = Stopping(StopReason.LIFETIME, build.NOW + DEFAULT_RULES.drain_stop)
KEPT = Workspace(BOX, turn=1)
FIRST, SECOND, THIRD = build.prompt(1), build.prompt(2), build.prompt(3)


def ask(
    session: Session, command: Command, *, now: datetime = build.NOW, rules: Rules = DEFAULT_RULES
) -> Decision:
    return decide(session, command, now=now, rules=rules)


def after(session: Session, *commands: Command, now: datetime = build.NOW) -> Session:
    for command in commands:
        session = evolve_all(session, ask(session, command, now=now).events)
    return session


def submit(text: str = "add a flag", **fields: Any) -> SubmitPrompt:
    return SubmitPrompt(author=build.ADA, text=text, model="demo/scripted", **fields)


def finish(
    prompt: int = 1, status: PromptStatus = PromptStatus.COMPLETED, **fields: Any
) -> FinishPrompt:
    return finish_of(1, prompt, status, **fields)


def finish_of(attempt: int, prompt: int, status: PromptStatus, **fields: Any) -> FinishPrompt:
    return FinishPrompt(attempt=attempt, prompt=prompt, status=status, **fields)


def saved(turn: int = 1, *, attempt: int = 1, snapshot: str = "copy-1", marker: int = 0) -> Saved:
    return Saved(attempt, snapshot, turn, marker)


def spawning(*queue: Prompt, **attempt: Any) -> Session:
    """The first attempt has been asked for; nothing is known of its sandbox yet."""
    return _with_attempt(SandboxStatus.SPAWNING, queue=queue, attempt=build.attempt(**attempt))


def resuming(*queue: Prompt, workspace: Workspace = KEPT, **attempt: Any) -> Session:
    """The session's own sandbox, which was put away, is about to wake up."""
    woken: dict[str, Any] = {"boot": workspace.boot} | attempt
    return _with_attempt(
        SandboxStatus.SPAWNING, queue=queue, attempt=_attempt(woken), workspace=workspace
    )


def connecting(*queue: Prompt, **attempt: Any) -> Session:
    """The bridge has connected and the boot is under way."""
    booting: dict[str, Any] = {
        "connected": True,
        "provider_id": BOX,
        "token_hash": "h",
        "expires_at": EXPIRY,
    }
    attempt = booting | attempt
    return _with_attempt(SandboxStatus.CONNECTING, queue=queue, attempt=_attempt(attempt))


def ready(**attempt: Any) -> Session:
    """The first prompt is done; the sandbox stands idle."""
    return _with_attempt(
        SandboxStatus.READY,
        status=SessionStatus.COMPLETED,
        attempt=_serving(attempt),
        workspace=Workspace(BOX, turn=1),
    )


def saving(*queue: Prompt, **fields: Any) -> Session:
    """The first prompt is done and its files are being copied; `queue` waits for that."""
    attempt = {"saving": True, "save_began_at": build.NOW}
    return _with_attempt(
        SandboxStatus.SNAPSHOTTING,
        queue=queue,
        attempt=_serving(attempt | fields),
        workspace=Workspace(BOX, turn=1),
    )


def running(*queue: Prompt, stop: Stopping | None = None, **attempt: Any) -> Session:
    """The first prompt runs; `queue` waits behind it."""
    return _with_attempt(
        SandboxStatus.READY,
        running=Running(FIRST, stop),
        queue=queue,
        attempt=_serving(attempt),
        workspace=Workspace(BOX),
    )


def ready_for_nothing(*queue: Prompt, **attempt: Any) -> Session:
    """Nobody knows when the sandbox ends: `queue` waits for that."""
    session = ready(**{"expires_at": None} | attempt)
    status, prompts = SessionStatus.ACTIVE, max(prompt.number for prompt in queue)
    return replace(session, status=status, queue=queue, prompts=prompts)


def stop_unconfirmed(error: str) -> Decision:
    return Decision(
        (
            AttemptEnding(Ending.STALE, error),
            SandboxMoved(SandboxStatus.STALE, reason="stale", error=error),
            PromptFinished(number=1, status=PromptStatus.STOPPED, error=error),
        )
    )


def ended(ending: Ending, *queue: Prompt, **fields: Any) -> Session:
    """A sandbox that had worked is being put away."""
    kept = {
        "attempt": _serving({"ending": ending, "token_hash": None}),
        "workspace": Workspace(BOX),
    }
    return _with_attempt(ending.sandbox, queue=queue, **kept | fields)


def _serving(attempt: dict[str, Any]) -> Attempt:
    served: dict[str, Any] = {
        "connected": True,
        "ready": True,
        "complete": True,
        "provider_id": BOX,
        "token_hash": "h",
        "expires_at": EXPIRY,
    }
    return _attempt(served | attempt)


def _attempt(fields: dict[str, Any]) -> Attempt:
    return build.attempt(**fields)


def _with_attempt(sandbox: SandboxStatus, **fields: Any) -> Session:
    waiting = [prompt.number for prompt in fields.get("queue", ())]
    busy = waiting or "running" in fields
    plain: dict[str, Any] = {
        "status": SessionStatus.ACTIVE if busy else SessionStatus.CREATED,
        "title": "add a flag",
        "prompts": max([1, *waiting]),
        "attempts": 1,
    }
    return build.session(sandbox=sandbox, **plain | fields)
