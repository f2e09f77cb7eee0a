"""Which models a deployment offers, and refusing the others before anything is started."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.app.ports.workspace import Secrets
from shared.domain.errors import Invalid, Rejected
from shared.protocol.models import Model, available, find

FRESH = timedelta(seconds=60)
"""How long the list of models is believed: keys change by hand, prompts come by the second."""


@dataclass(frozen=True, slots=True)
class Choice:
    model: str
    effort: str | None


@dataclass(slots=True, kw_only=True)
class Catalogue:
    secrets: Secrets
    clock: Callable[[], datetime]
    default: str = ""
    """The operator's choice; empty: the first that is available."""

    demo_model_url: str = ""
    stored: Callable[[], Collection[str]] = tuple
    """The names of the secrets that people have set for every session."""

    _models: tuple[Model, ...] = field(default=(), init=False)
    _read_at: datetime | None = field(default=None, init=False)

    def models(self) -> tuple[Model, ...]:
        """Raises `Rejected` when there is not one."""
        now = self.clock()
        if self._read_at is None or now - self._read_at > FRESH:
            self._models, self._read_at = self._available(), now
        if not self._models:
            raise Rejected("no model key is set for this deployment, so no model can work")
        return self._models

    def _available(self) -> tuple[Model, ...]:
        secrets = self.secrets.all()
        names = {name for name, value in secrets.items() if value}
        names.update(self.stored())
        if self.demo_model_url:
            names.add("OUTBOARD_DEMO_MODEL_URL")
        return available(names, secrets.get("OUTBOARD_MODEL", ""))

    def default_model(self) -> str:
        models = self.models()
        return self.default if find(models, self.default) else models[0].id

    def choose(self, model: str | None, effort: str | None) -> Choice:
        """Raises `Invalid` for a model or an effort that is not offered."""
        wanted = model or self.default_model()
        found = find(self.models(), wanted)
        if found is None:
            names = ", ".join(known.id for known in self.models())
            raise Invalid("model", f"{wanted!r} is not offered here; there is {names}")
        if effort is not None and effort not in found.efforts:
            efforts = ", ".join(found.efforts) or "none"
            raise Invalid("effort", f"{effort!r} is not one of {found.id}'s: {efforts}")
        return Choice(found.id, effort or found.default_effort)
