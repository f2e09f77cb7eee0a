"""Screenshots that an agent hands in: kept with the session, shown to all who watch it."""

from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha256

from shared.app.attachment_views import attached
from shared.app.attachments import Attachments, sandbox_asks
from shared.app.sessions import Sessions
from shared.app.tokens import SandboxClaim
from shared.domain.attachment import AttachmentId
from shared.domain.errors import Unauthenticated
from shared.domain.session.commands import RecordScreenshot
from shared.domain.session.handing_in import check_screenshots
from shared.protocol.attachments import NewScreenshot, ScreenshotTaken


@dataclass(frozen=True, slots=True)
class Screenshots:
    sessions: Sessions
    attachments: Attachments

    def hand_in(self, by: SandboxClaim, asked: NewScreenshot) -> ScreenshotTaken:
        """Safe to repeat: the same image with the same title is the same screenshot.

        Raises `Invalid`, `Rejected` when there are enough, `Unauthenticated` of a dead attempt.
        """
        asker = sandbox_asks(by.session_id)
        upload = self.attachments.upload(asker, AttachmentId(asked.attachment))
        title = " ".join(asked.title.split()) or upload.name
        screenshot = _id(upload.digest or "", title)
        session = self.sessions.load(by.session_id)
        if screenshot not in session.screenshots:
            check_screenshots(session)
        (file,) = self.attachments.keep(asker, [asked.attachment])
        command = RecordScreenshot(by.attempt, screenshot, title, file)
        session = self.sessions.handle(by.session_id, command)
        if screenshot not in session.screenshots:
            raise Unauthenticated("this attempt is over")
        return ScreenshotTaken(id=screenshot, title=title, file=attached(file))


def _id(digest: str, title: str) -> str:
    """Short, as the session itself holds them all."""
    return b32encode(sha256(f"{digest} {title}".encode()).digest()).decode().lower()[:12]
