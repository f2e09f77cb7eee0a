"""What a session has changed: handed in by its sandbox, kept, and shown when that is gone, too."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.app import kept_changes
from shared.app.audiences import Audiences
from shared.app.kept_changes import Listing, listing_key, patches_key
from shared.app.ports.changes import ChangesStore, Compared
from shared.app.ports.rates import Rates
from shared.app.ports.uploads import Objects
from shared.app.sessions import Sessions
from shared.app.tokens import SandboxClaim
from shared.domain.errors import (
    ChangesStale,
    Conflict,
    Contended,
    NotFound,
    Rejected,
    Unavailable,
)
from shared.domain.rate import Rate
from shared.domain.session.state import SessionId
from shared.protocol.change_bundles import ChangesTaken, NewChanges
from shared.protocol.changes import ChangesView, ChangeTotals, FilePatch, RefreshAsked

logger = logging.getLogger(__name__)

MAX_TRIES = 5
HANDING_IN = Rate(timedelta(seconds=5), burst=20)
"""How often a sandbox may hand in: nobody watches what it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    sessions: Sessions
    store: ChangesStore
    objects: Objects
    rates: Rates
    audiences: Audiences
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def hand_in(self, by: SandboxClaim, new: NewChanges) -> ChangesTaken:
        """Safe to repeat: the same once more is the same revision.

        Raises `Invalid` for what is too large, `Rejected` for too many, `Contended`.
        """
        kept_changes.check(new)
        self._check_pace(by.session_id)
        for _ in range(MAX_TRIES):
            known = self.store.load(by.session_id) or Compared(attempt=by.attempt)
            try:
                return self._take(by, new, known)
            except Conflict:
                continue
        raise Contended("too many comparisons at once; try again")

    def _take(self, by: SandboxClaim, new: NewChanges, known: Compared) -> ChangesTaken:
        """Raises `Conflict` when another was quicker."""
        if new.error is not None:
            failed = replace(known, attempt=by.attempt, error=new.error)
            self.store.put(by.session_id, failed, after=known.revision)
            return ChangesTaken(revision=known.revision, changed=False)
        digest = kept_changes.digest(new)
        seen = Compared(
            attempt=by.attempt,
            prompt=new.prompt,
            revision=known.revision,
            digest=digest,
            compared_at=new.compared_at,
        )
        if known.revision is not None and known.digest == digest:
            self.store.put(by.session_id, seen, after=known.revision)
            return ChangesTaken(revision=known.revision, changed=False)
        revision = self._keep(by.session_id, new, seen, known.revision)
        changed = known.revision is not None or kept_changes.shows_anything(new)
        return ChangesTaken(revision=revision, changed=changed)

    def _keep(
        self, session_id: SessionId, new: NewChanges, seen: Compared, before: str | None
    ) -> str:
        """The objects are there before anybody is told of them, and the old ones until then."""
        revision, kept = self.new_id(), kept_changes.kept(new)
        listing = kept.listing.model_dump_json(by_alias=True).encode()
        self.objects.put(listing_key(session_id, revision), listing)
        if kept.patches:
            self.objects.put(patches_key(session_id, revision), kept.patches)
        try:
            self.store.put(session_id, replace(seen, revision=revision), after=before)
        except Conflict:
            self._forget(session_id, revision)
            raise
        if before is not None:
            self._forget(session_id, before)
        return revision

    def _forget(self, session_id: SessionId, revision: str) -> None:
        """What stays behind is found by nobody, and costs what it weighs."""
        for key in (listing_key(session_id, revision), patches_key(session_id, revision)):
            try:
                self.objects.delete(key)
            except Unavailable:
                logger.warning("changes_not_deleted", extra={"session_id": session_id})

    def view(self, session_id: SessionId) -> ChangesView:
        """Raises `NotFound` for no such session."""
        self.sessions.load(session_id)
        for _ in range(MAX_TRIES):
            known = self.store.load(session_id)
            if known is None or known.revision is None:
                return _nothing(known)
            try:
                return _view(known, self._listing(session_id, known.revision))
            except NotFound:
                continue  # a newer one has taken its place
        raise Contended("the changes are being replaced; try again")

    def patch(self, session_id: SessionId, revision: str, file: str) -> FilePatch:
        """Raises `ChangesStale` for a revision that is not the newest, `NotFound`."""
        self.sessions.load(session_id)
        known = self.store.load(session_id)
        if known is None or known.revision != revision:
            raise ChangesStale("there is a newer comparison")
        try:
            listing = self._listing(session_id, revision)
            offset, length = listing.places.get(file, (0, -1))
            if length < 0:
                return self._missing(session_id, revision, file)
            key = patches_key(session_id, revision)
            content = self.objects.get(key, offset=offset, length=length) if length else b""
        except NotFound:
            return self._missing(session_id, revision, file)
        return FilePatch(revision=revision, file=file, patch=content.decode())

    def refresh(self, session_id: SessionId) -> RefreshAsked:
        """Raises `NotFound`, `Rejected` when there is no sandbox to ask."""
        self.sessions.load(session_id)
        known = self.store.load(session_id)
        self.audiences.ask_to_compare(session_id)
        return RefreshAsked(revision=known.revision if known else None)

    def _missing(self, session_id: SessionId, revision: str, file: str) -> FilePatch:
        known = self.store.load(session_id)
        if known is None or known.revision != revision:
            raise ChangesStale("there is a newer comparison")
        raise NotFound(f"no file {file!r} in these changes")

    def _listing(self, session_id: SessionId, revision: str) -> Listing:
        return Listing.model_validate_json(self.objects.get(listing_key(session_id, revision)))

    def _check_pace(self, session_id: SessionId) -> None:
        now = self.clock()
        name = f"changes {session_id}"
        if self.rates.reserve(name, now, HANDING_IN, within=timedelta()) > now:
            raise Rejected("too many comparisons at once; wait half a minute")


def _nothing(known: Compared | None) -> ChangesView:
    return ChangesView(
        revision=None,
        compared_at=None,
        prompt=None,
        repositories=[],
        totals=ChangeTotals(files=0, additions=0, deletions=0),
        truncated=False,
        error=known.error if known else None,
    )


def _view(known: Compared, listing: Listing) -> ChangesView:
    return ChangesView(
        revision=known.revision,
        compared_at=known.compared_at,
        prompt=known.prompt,
        repositories=listing.repositories,
        totals=listing.totals,
        truncated=listing.truncated,
        error=known.error,
    )
