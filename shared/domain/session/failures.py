"""What can be to blame when a sandbox does not come up, and what to do about it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from shared.domain.session.rules import Moment

MAX_KEPT = 10


class Failure(StrEnum):
    TRANSIENT = "provider_transient"
    """The provider did not answer, or was busy."""
    LIMITS = "limits"
    """Too many sandboxes, or too many at once."""
    PERMANENT = "provider_permanent"
    """The provider will never do this."""
    WAKE = "wake"
    """The provider will never wake this sandbox again."""
    UNKNOWN = "unknown"
    BOOT = "boot"
    """It did not come up in time, or our own runtime broke."""
    REPOSITORY = "repository"
    SCRIPT = "script"
    AGENT = "agent"
    RUNTIME = "runtime"
    """It had come up, and then it broke."""
    STOPPED = "stopped"
    """The provider, or whoever owns the machine, stopped it while it was in use."""
    POLICY = "policy"
    SECRETS = "secrets"
    """What the sandbox is to have cannot be read, or is too much."""

    @property
    def counts(self) -> bool:
        """Whether it says that trying again at once would fail, too, and cost another sandbox."""
        return self in _COUNTED


_COUNTED = frozenset(
    {
        Failure.PERMANENT,
        Failure.WAKE,
        Failure.UNKNOWN,
        Failure.BOOT,
        Failure.AGENT,
        Failure.REPOSITORY,
    }
)

ADVICE: Mapping[Failure, str] = MappingProxyType(
    {
        Failure.TRANSIENT: "the sandbox provider has trouble; send the prompt again in a minute",
        Failure.LIMITS: (
            "the provider's limit is reached; send the prompt again when other sandboxes have "
            "stopped, or have the limit raised"
        ),
        Failure.PERMANENT: (
            "the provider refuses; whoever runs Outboard has to look at its key and template"
        ),
        Failure.WAKE: "the provider does not wake this sandbox; send the prompt again",
        Failure.UNKNOWN: "send the prompt again; a new sandbox is started for it",
        Failure.BOOT: (
            "send the prompt again; if setup.sh is slow, shorten it or enable a prebuilt image"
        ),
        Failure.REPOSITORY: "check that the repository and its branch exist and may be read",
        Failure.SCRIPT: "fix the script and push it, then send the prompt again",
        Failure.AGENT: "send the prompt again, or choose another model",
        Failure.RUNTIME: "its files are kept; send the prompt again to go on from them",
        Failure.STOPPED: "nothing is wrong with it; send the prompt again",
        Failure.POLICY: "a rule of this workspace forbids it; ask its owner",
        Failure.SECRETS: (
            "nothing is started without its secrets; send the prompt again, and set them anew if "
            "that does not help"
        ),
    }
)
"""One sentence each, for people."""


def told(error: str, failure: Failure) -> str:
    return f"{error}: {ADVICE[failure]}"


def remembered(failures: Sequence[datetime], at: datetime) -> tuple[datetime, ...]:
    return (*failures, at)[-MAX_KEPT:]


def open_until(failures: Sequence[datetime], moment: Moment) -> datetime | None:
    """Until when nothing is started because too much has failed; None: go ahead."""
    window, limit = moment.rules.breaker_window, moment.rules.breaker_failures
    recent = [at for at in failures if moment.now - at < window]
    return recent[-limit] + window if len(recent) >= limit else None
