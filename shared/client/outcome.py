"""What became of a prompt: for a program and for a person."""

from typing import Any

from shared.client.lines import Line, Tone
from shared.client.money import dollars
from shared.client.repository import fetch_command
from shared.client.untrusted import clean_line
from shared.client.views import DEMO
from shared.protocol.api import PromptAccepted, SessionView
from shared.protocol.server_events import PromptFinished


def accepted(session: SessionView, prompt: PromptAccepted) -> dict[str, Any]:
    return {
        "session": session.id,
        "prompt": prompt.number,
        "position": prompt.position,
        "model": session.model,
        "demo": session.demo,
    }


def result(session: SessionView, over: PromptFinished) -> dict[str, Any]:
    return {
        "session": session.id,
        "prompt": over.prompt,
        "status": over.status,
        "branch": over.branch,
        "commit": over.commit,
        "cost": over.cost,
        "error": over.error,
        "demo": session.demo,
    }


def lines(session: SessionView, over: PromptFinished) -> tuple[Line, ...]:
    tone = Tone.GOOD if over.status == "completed" else Tone.BAD
    facts = [f"prompt {over.prompt} {over.status}", dollars(over.cost)]
    if over.error:
        facts.insert(1, clean_line(over.error))
    said = (Line(" · ".join(facts), tone), *((DEMO,) if session.demo else ()))
    return (*said, *_branch(session, over))


def _branch(session: SessionView, over: PromptFinished) -> tuple[Line, ...]:
    if over.branch is None:
        nothing = Line("nothing changed: no branch was pushed")
        return (nothing,) if over.status == "completed" else ()
    commit = clean_line(over.commit or "")
    command = clean_line(fetch_command(session.repositories[0], over.branch))
    return (Line(f"branch {clean_line(over.branch)} at {commit}"), Line(f"get it with: {command}"))
