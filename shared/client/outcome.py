"""What became of a prompt: for a program and for a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shared.client.lines import Line, Tone
from shared.client.money import dollars
from shared.client.repository import fetch_command
from shared.client.untrusted import clean_line
from shared.client.views import DEMO
from shared.protocol.api import PromptAccepted, RepositoryView, SessionView
from shared.protocol.events import Pushed
from shared.protocol.server_events import PromptFinished


def accepted(session: SessionView, prompt: PromptAccepted) -> dict[str, Any]:
    return {
        "session": session.id,
        "prompt": prompt.number,
        "position": prompt.position,
        "model": session.model,
        "demo": session.demo,
    }


@dataclass(frozen=True, slots=True)
class Over:
    """How a prompt ended, and what its turn has pushed."""

    finished: PromptFinished
    pushed: Sequence[Pushed] = ()

    def result(self, session: SessionView) -> dict[str, Any]:
        over = self.finished
        return {
            "session": session.id,
            "prompt": over.prompt,
            "status": over.status,
            "branch": over.branch,
            "commit": over.commit,
            "pushed": [
                {"repository": repository.name, "branch": branch, "commit": commit}
                for repository, branch, commit in self._branches(session)
            ],
            "cost": over.cost,
            "error": over.error,
            "demo": session.demo,
        }

    def lines(self, session: SessionView) -> tuple[Line, ...]:
        over = self.finished
        tone = Tone.GOOD if over.status == "completed" else Tone.BAD
        facts = [f"prompt {over.prompt} {over.status}", dollars(over.cost)]
        if over.error:
            facts.insert(1, clean_line(over.error))
        said = (Line(" · ".join(facts), tone), *((DEMO,) if session.demo else ()))
        return (*said, *self._work(session))

    def _work(self, session: SessionView) -> tuple[Line, ...]:
        if not session.repositories:
            return ()
        if self.finished.branch is None:
            nothing = Line("nothing changed: no branch was pushed")
            return (nothing,) if self.finished.status == "completed" else ()
        several = len(session.repositories) > 1
        return tuple(
            line
            for repository, branch, commit in self._branches(session)
            for line in _branch(repository, branch, commit, named=several)
        )

    def _branches(self, session: SessionView) -> list[tuple[RepositoryView, str, str]]:
        """In the order of the session's repositories; of an only one the end itself says it."""
        branch, commit = self.finished.branch, self.finished.commit or ""
        if branch is None:
            return []
        if len(session.repositories) == 1:
            return [(session.repositories[0], branch, commit)]
        commits = {push.repository: push.commit for push in self.pushed if push.branch == branch}
        return [
            (repository, branch, commits[repository.name])
            for repository in session.repositories
            if repository.name in commits
        ]


def _branch(repository: RepositoryView, branch: str, commit: str, *, named: bool) -> list[Line]:
    where = f"{clean_line(repository.name)}: " if named else ""
    command = clean_line(fetch_command(repository, branch))
    return [
        Line(f"{where}branch {clean_line(branch)} at {clean_line(commit)}"),
        Line(f"get it with: {command}"),
    ]
