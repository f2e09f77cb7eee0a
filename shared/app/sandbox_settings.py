"""What people choose about sandboxes, for everything and for a repository, and what comes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.app.accounts import only_owner
from shared.app.ports.sandbox_settings import Chosen, SettingsStore
from shared.app.ports.workspace import User
from shared.domain.errors import Invalid, Rejected
from shared.domain.repository_url import RepositoryKey, key
from shared.domain.sandbox_settings import NOTHING_CHOSEN, SandboxSettings, minutes
from shared.domain.session.state import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsOfSandboxes:
    store: SettingsStore
    deployment: SandboxSettings
    """What counts where nothing is chosen."""
    clock: Callable[[], datetime]
    new_id: Callable[[], str]

    def choose(
        self,
        by: User,
        repository: RepositoryKey | None,
        settings: SandboxSettings,
        *,
        version: str | None,
    ) -> Chosen:
        """All of one level; `version` is the one that was read. Safe to repeat.

        Raises `Forbidden`, `Invalid`, `Conflict` when somebody else has changed it meanwhile.
        """
        only_owner(by)
        settings.check()
        there = self.store.get(repository)
        if there is not None and there.settings == settings:
            return there
        self._check_time(repository, settings)
        chosen = Chosen(
            repository=repository,
            settings=settings,
            version=self.new_id(),
            by=by.id,
            at=self.clock(),
        )
        self.store.put(chosen, instead_of=version)
        return chosen

    def forget(self, by: User, repository: RepositoryKey, version: str) -> None:
        """Safe to repeat. Raises `Forbidden`, `Conflict`."""
        only_owner(by)
        self.store.remove(repository, version)

    def in_effect(self, repository: RepositoryKey) -> SandboxSettings:
        return self._chosen(repository).over(self.deployment)

    def of_session(self, target: Sequence[Repository]) -> SandboxSettings:
        """What is chosen now, for a new session to keep; None stays the deployment's.

        Of several repositories the first one's count, of none what is chosen for everything.

        Raises `Rejected`: what is chosen at several levels may not go together.
        """
        repository = key(target[0].url) if target else None
        chosen = self._chosen(repository)
        if (why := self._without_time(chosen)) is not None:
            about = repository or "everything"
            raise Rejected(f"the sandbox settings for {about} do not go together: {why}")
        return chosen

    def _chosen(self, repository: RepositoryKey | None) -> SandboxSettings:
        everywhere = self._at(None)
        return everywhere if repository is None else self._at(repository).over(everywhere)

    def _at(self, repository: RepositoryKey | None) -> SandboxSettings:
        chosen = self.store.get(repository)
        return NOTHING_CHOSEN if chosen is None else chosen.settings

    def _check_time(self, repository: RepositoryKey | None, settings: SandboxSettings) -> None:
        """With all that inherits from these, or that these inherit from."""
        field = "lifetime" if settings.final_buffer is None else "final_buffer"
        if repository is not None:
            settings = settings.over(self._at(None))
        if (why := self._without_time(settings)) is not None:
            raise Invalid(field, why)
        for level in self.store.of_repositories() if repository is None else ():
            why = self._without_time(level.settings.over(settings))
            if why is not None:
                raise Invalid(field, f"{why}, for {level.repository}")

    def _without_time(self, chosen: SandboxSettings) -> str | None:
        """Why there is no time to work; what nobody has chosen is nobody's mistake."""
        whole = chosen.over(self.deployment)
        lifetime, buffer = whole.lifetime, whole.final_buffer
        if whole.leaves_time or lifetime is None or buffer is None:
            return None
        if chosen.lifetime is None and chosen.final_buffer is None:
            return None
        return (
            f"a final buffer of {minutes(buffer)} minutes has to be shorter than"
            f" the lifetime of {minutes(lifetime)} minutes"
        )
