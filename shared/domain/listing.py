"""Which sessions are in which list, and which of them somebody looks for."""

from dataclasses import dataclass
from enum import StrEnum

from shared.domain.session.state import Repository, Session, SessionStatus, UserId


class Shelf(StrEnum):
    """Where a session is kept by recency, so that each kind is found without the others."""

    ACTIVE = "active"
    OPEN = "open"
    ARCHIVED = "archived"


class Lifecycle(StrEnum):
    OPEN = "open"
    ARCHIVED = "archived"
    ALL = "all"

    @property
    def shelves(self) -> tuple[Shelf, ...]:
        match self:
            case Lifecycle.OPEN:
                return (Shelf.ACTIVE, Shelf.OPEN)
            case Lifecycle.ARCHIVED:
                return (Shelf.ARCHIVED,)
            case Lifecycle.ALL:
                return tuple(Shelf)


def shelf(session: Session) -> Shelf | None:
    """None: nothing was asked of it yet, which is nobody's business but its owner's."""
    return shelf_of(session.status) if session.prompts else None


def shelf_of(status: SessionStatus) -> Shelf:
    match status:
        case SessionStatus.ACTIVE:
            return Shelf.ACTIVE
        case SessionStatus.ARCHIVED:
            return Shelf.ARCHIVED
        case _:
            return Shelf.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    lifecycle: Lifecycle = Lifecycle.OPEN
    status: SessionStatus | None = None
    owner: UserId | None = None
    words: tuple[str, ...] = ()
    """Each has to be in the title or a repository's name, or to begin the id."""

    def matches(self, session: Session) -> bool:
        return (
            shelf(session) in self.lifecycle.shelves
            and self.status in {None, session.status}
            and self.owner in {None, session.owner}
            and _is_about(session, self.words)
        )


OPEN_ONES = Wanted()


def words_of(query: str) -> tuple[str, ...]:
    return tuple(query.casefold().split())


def _is_about(session: Session, words: tuple[str, ...]) -> bool:
    if not words:
        return True
    named = "\n".join([session.title, *map(_names, session.target)]).casefold()
    return all(word in named or session.id.casefold().startswith(word) for word in words)


def _names(repository: Repository) -> str:
    return f"{repository.url}\n{repository.name}\n{repository.label}"
