"""What the session's repositories have on their remotes: one branch in each, the session's own."""

from shared.domain.session.commands import RecordPush
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import BRANCH, BranchPushed
from shared.domain.session.state import Push, Session


def record_push(session: Session, command: RecordPush) -> Decision:
    running = session.running
    if session.current(command.attempt) is None or running is None:
        return NOTHING
    if command.prompt != running.prompt.number:
        return NOTHING
    if command.branch != session.session_branch or not _works_on(session, command.repository):
        return NOTHING  # people fetch what stands here, and a sandbox may name anything
    known = session.pushed(command.repository)
    if known == Push(command.repository, command.branch, command.commit):
        return NOTHING
    pushed = BranchPushed(
        repository=command.repository,
        branch=command.branch,
        commit=command.commit,
        first=known is None,
        artifact=_artifact(session, command.repository),
    )
    return Decision((pushed,))


def _works_on(session: Session, name: str) -> bool:
    return any(repository.name == name for repository in session.target)


def _artifact(session: Session, name: str) -> str:
    return BRANCH if len(session.target) == 1 else f"{BRANCH}-{name}"
