"""Keeps a session's files: a copy between turns, and the sandbox itself put away at the end.

A copy is made at most once for each turn under its own name, so what an unknown outcome has left is
found again. That it fails is a warning; that a sandbox can't be put away is tried for as long as it
takes.
"""

import logging
from dataclasses import dataclass

from shared.app.copies import copy_name, may_be_cut_off
from shared.app.launching import metadata
from shared.app.ports.sandboxes import (
    Sandboxes,
    SandboxGone,
    SandboxRefused,
    SandboxUnavailable,
)
from shared.app.sessions import Sessions
from shared.domain.errors import DomainError
from shared.domain.session.commands import Saved, SaveFailed
from shared.domain.session.sandbox import Attempt, Boot, Ending, ProviderId
from shared.domain.session.state import Session, SessionId

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    sessions: Sessions
    sandboxes: Sandboxes
    deployment: str

    def save(self, session: Session, attempt: Attempt, provider_id: ProviderId | None) -> None:
        """Raises nothing of the provider's."""
        workspace = session.workspace
        name = copy_name(self.deployment, session, attempt)
        try:
            copy = self._copy(provider_id, name)
        except DomainError as error:
            logger.warning("copy_failed", extra={"session_id": session.id, "code": error.code})
            failed = SaveFailed(attempt.number, f"no copy of the files was made: {error}")
            self.sessions.handle(session.id, failed)
            return
        saved = Saved(attempt.number, copy, workspace.turn, workspace.marker)
        after = self.sessions.handle(session.id, saved)
        self._forget(after, workspace.snapshot.id if workspace.snapshot else None, copy)

    def _copy(self, provider_id: ProviderId | None, name: str) -> str:
        if provider_id is None:
            raise SandboxGone("nobody knows where they are")
        try:
            return self.sandboxes.snapshot(provider_id, name)
        except SandboxUnavailable:
            if (left := self.sandboxes.find_snapshot(name)) is None:
                raise
            return left

    def _forget(self, session: Session, *copies: str | None) -> None:
        """Those that the session does not need. What is left over here is found by the reaper."""
        kept = session.workspace.snapshot
        needed = {session.workspace.base, kept.id if kept else None, None}
        for copy in copies:
            if copy is None or copy in needed:
                continue
            try:
                self.sandboxes.forget_snapshot(copy)
            except DomainError as error:
                logger.warning("copy_left", extra={"session_id": session.id, "code": error.code})

    def put_away(self, session: Session, attempt: Attempt) -> None:
        """Make the files safe before the attempt is over. Raises to be retried, never guesses.

        Killed is only what this very attempt created and never got to the end of its boot: nobody
        worked there, and nobody will, because the attempt is over first. Nor is a copy made of
        files that a boot has only half prepared; an older one is worth more.
        """
        files = None if attempt.beside else self.files(session, attempt)
        if files is not None:
            if attempt.complete and _has_news(session, attempt):
                self._save_running(session, attempt, files)
            self._pause(files)
        elif attempt.boot is Boot.RESUME and attempt.provider_id is not None:
            self._pause(attempt.provider_id)
        else:
            self._kill(session, attempt)

    def _save_running(self, session: Session, attempt: Attempt, files: ProviderId) -> None:
        try:
            info = self.sandboxes.info(files)
        except (SandboxGone, SandboxRefused, SandboxUnavailable):
            return  # pausing will say what is wrong with it
        if info.state == "running":
            self.save(session, attempt, files)

    def _pause(self, provider_id: ProviderId) -> None:
        try:
            self.sandboxes.pause(provider_id)
        except SandboxGone:
            logger.warning("workspace_gone", extra={"provider_id": provider_id})

    def _kill(self, session: Session, attempt: Attempt) -> None:
        for info in self.sandboxes.find(_made_for(self.deployment, session.id, attempt)):
            self.sandboxes.kill(info.provider_id)

    def files(self, session: Session, attempt: Attempt) -> ProviderId | None:
        """The sandbox with the session's files, also when nobody has told us its name yet."""
        if attempt.ending in {Ending.RETARGETED, Ending.DAMAGED}:
            return None
        if session.workspace.provider_id is not None or not attempt.complete:
            return session.workspace.provider_id
        found = self.sandboxes.find(metadata(self.deployment, session.id, attempt))
        return ProviderId(found[0].provider_id) if found else None


def _made_for(deployment: str, session_id: SessionId, attempt: Attempt) -> dict[str, str]:
    """Whatever it was made from."""
    begun = metadata(deployment, session_id, attempt)
    return {name: value for name, value in begun.items() if name != "outboard-boot"}


def _has_news(session: Session, attempt: Attempt) -> bool:
    return session.workspace.has_unsaved_turns or may_be_cut_off(session, attempt)
