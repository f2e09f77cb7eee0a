"""What a path on this machine is as a git repository, or the sentence why it can't be served."""

import re
from dataclasses import dataclass
from pathlib import Path

from infra.local.repository_host.acting import Actor, GitFailed, acting_on


class NotServable(Exception):
    """In a sentence for whoever named the path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRepository:
    top: Path
    """Its working tree, or itself where it has none."""
    git_dir: Path
    name: str
    head: str
    branch: str | None
    """None: HEAD is detached."""
    dirty: bool
    """Whether something may be uncommitted: when git can't say in time, it may."""


def look(given: str) -> LocalRepository:
    """Raises `NotServable`."""
    place = _directory(given)
    actor = acting_on(place)
    try:
        top, git_dir, common = _places(place, actor)
        head = actor.git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except GitFailed as failure:
        raise NotServable(_why(place, actor, str(failure))) from failure
    _check_writable(common, actor)
    return LocalRepository(
        top=top,
        git_dir=git_dir,
        name=_name(top),
        head=head,
        branch=_branch(top, actor),
        dirty=_is_dirty(top, actor) if top != git_dir else False,
    )


def _directory(given: str) -> Path:
    path = Path(given)
    if not path.is_absolute():
        raise NotServable(f"{given!r} is not an absolute path")
    try:
        place = path.resolve(strict=True)
    except OSError as error:
        raise NotServable(f"{given!r} can't be opened: {error.strerror}") from error
    if not place.is_dir():
        raise NotServable(f"{given!r} is a file, not a git repository")
    return place


def _places(place: Path, actor: Actor) -> tuple[Path, Path, Path]:
    git_dir = Path(actor.git(place, "rev-parse", "--absolute-git-dir"))
    common = git_dir / actor.git(git_dir, "rev-parse", "--git-common-dir")
    if actor.git(place, "rev-parse", "--is-bare-repository") == "true":
        return git_dir, git_dir, common
    if actor.git(place, "rev-parse", "--is-inside-git-dir") == "true":
        raise NotServable(f"{str(place)!r} is inside git's own folder: name the repository itself")
    return Path(actor.git(place, "rev-parse", "--show-toplevel")), git_dir, common


def _why(place: Path, actor: Actor, said: str) -> str:
    try:
        actor.git(place, "rev-parse", "--git-dir")
    except GitFailed as failure:
        if "not a git repository" in str(failure):
            return f"{str(place)!r} is not a git repository"
        return f"git can't read {str(place)!r}: {failure}"
    if said:
        return f"git can't read {str(place)!r}: {said}"
    return f"{str(place)!r} has no commit yet: there is nothing to start from"


def _check_writable(common: Path, actor: Actor) -> None:
    """A session ends with a push, so a repository that can't take one is refused at once."""
    for part in ("objects", "refs/heads"):
        if actor.run(("test", "-w", str(common / part))).returncode:
            raise NotServable(
                f"{str(common / part)!r} can't be written by {actor.name}:"
                " the session's branch could not be pushed"
            )


def _branch(top: Path, actor: Actor) -> str | None:
    try:
        return actor.git(top, "symbolic-ref", "--quiet", "--short", "HEAD")
    except GitFailed:
        return None


def _is_dirty(top: Path, actor: Actor) -> bool:
    try:
        disarmed = _disarmed(top, actor) if actor.stranger else {}
        return bool(actor.git(top, "status", "--porcelain", settings=disarmed))
    except GitFailed:
        return True


def _disarmed(top: Path, actor: Actor) -> dict[str, str]:
    """Content filters are programs that a repository's own configuration names."""
    drivers = r"^filter\..*\.(clean|smudge|process|required)$"
    try:
        found = actor.git(top, "config", "--null", "--name-only", "--get-regexp", drivers)
    except GitFailed:
        return {}
    names = (name for name in found.split("\0") if name)
    return {name: "false" if name.endswith(".required") else "" for name in names}


def _name(top: Path) -> str:
    """As the folder in a sandbox is called."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", top.name.removesuffix(".git")).strip("-.")
    return plain or "repository"
