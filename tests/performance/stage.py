"""Outboard on this machine as `make run` starts it, with sandboxes in which nothing runs.

The test is the bridge: it takes the identity that a launch left in the sandbox's root directory.
"""

import asyncio
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

from pydantic import ValidationError

from infra.local import deployment, programs
from infra.local.assembly import synthesised
from infra.local.crew import Crew
from infra.local.models import from_environment
from infra.local.place import Place
from infra.local.sandbox_host.choice import FORCED
from shared.client import repository
from shared.client.api import Api
from shared.client.deployment import Deployment, RepositoryHost
from shared.protocol.api import AuthorView, NewPrompt, NewRepository, NewSession
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests.e2e import machine
from tests.local_aws import eventually

ADA = AuthorView(name="Ada Example", email="ada@example.com")
_ASLEEP = "#!/bin/sh\nexec sleep 3600\n"


@dataclass(frozen=True, slots=True)
class Stage:
    place: Place
    deployment: Deployment
    repository: NewRepository

    def api(self) -> Api:
        return Api(self.deployment, notice=lambda _: None)

    async def open_session(self, api: Api) -> str:
        new = NewSession(request_id=uuid4().hex, repositories=[self.repository])
        return (await api.create_session(new)).id

    async def identity(self, session: str) -> Identity:
        """Of the session's only attempt, once it is launched."""
        found = await asyncio.to_thread(eventually, partial(self._identity, session))
        assert found is not None
        return found

    def _identity(self, session: str) -> Identity | None:
        roots = (self.place.state / "sandboxes" / "sandboxes").glob("*/files")
        for root in roots:
            try:
                content = (root / IDENTITY_PATH.lstrip("/")).read_text()
                identity = Identity.model_validate_json(content)
            except (FileNotFoundError, ValidationError):
                continue  # not written yet, or not all of it
            if identity.session == session:
                return identity
        return None


def prompt(text: str) -> NewPrompt:
    return NewPrompt(request_id=uuid4().hex, text=text, author=ADA)


@contextmanager
def raised(directory: Path) -> Generator[Stage]:
    """As `infra.local` does it, without OpenCode and the demo model, which nobody asks."""
    place = Place(directory / "state", machine.free_ports())
    place.make()
    for key in (place.sandboxes_key, place.repositories_key):
        deployment.key(key)
    environment = _environment()
    assembly = synthesised()
    try:
        with Crew(lambda _: None) as crew:
            crew.start(
                [
                    programs.aws_host(place, environment),
                    programs.sandbox_host(place, environment, _template(directory)),
                    programs.repository_host(place, environment),
                ]
            )
            deployed = deployment.set_up(place, assembly, from_environment({}), environment)
            known = _known(place, deployed)
            yield Stage(place, known, _repository(directory, known))
    finally:
        shutil.rmtree(place.state)


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(machine.OURS)}
    return kept | {FORCED: "plain"}


def _template(directory: Path) -> Path:
    supervisor = directory / "template" / "bin" / "supervisor"
    supervisor.parent.mkdir(parents=True)
    supervisor.write_text(_ASLEEP)
    supervisor.chmod(0o755)
    return directory / "template"


def _known(place: Place, deployed: deployment.Deployed) -> Deployment:
    return Deployment(
        http=deployed.http,
        token=place.token(deployed.user).read_text(),
        repositories=RepositoryHost(place.repositories_url, deployment.key(place.repositories_key)),
    )


def _repository(directory: Path, known: Deployment) -> NewRepository:
    path = machine.repository(directory / "tool", README="a tool\n")
    return asyncio.run(repository.target(str(path), None, known, lambda _: None))
