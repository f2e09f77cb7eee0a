"""What the agent hands in beside its work: screenshots, which are kept with the session."""

from shared.domain.attachment import MAX_SCREENSHOTS
from shared.domain.errors import Rejected
from shared.domain.session.commands import RecordScreenshot
from shared.domain.session.decision import NOTHING, Decision
from shared.domain.session.facts import ScreenshotHandedIn
from shared.domain.session.state import Session


def record_screenshot(session: Session, command: RecordScreenshot) -> Decision:
    if session.current(command.attempt) is None or command.id in session.screenshots:
        return NOTHING
    check_screenshots(session)
    prompt = session.running.prompt.number if session.running else None
    return Decision((ScreenshotHandedIn(command.id, command.title, command.file, prompt),))


def check_screenshots(session: Session) -> None:
    """Raises `Rejected`."""
    if len(session.screenshots) >= MAX_SCREENSHOTS:
        raise Rejected(f"this session has {MAX_SCREENSHOTS} screenshots already")
