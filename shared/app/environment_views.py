"""Environments as wire messages, and what a session says of the one it was opened from."""

from shared.app import views
from shared.domain.environment import Environment
from shared.domain.session.state import Repository, Session
from shared.protocol import environments as wire
from shared.protocol.api import RepositoryView, SessionView


def of_environment(environment: Environment) -> wire.EnvironmentView:
    return wire.EnvironmentView(
        id=environment.id,
        name=environment.name,
        description=environment.description,
        repositories=[_repository(each) for each in environment.repositories],
        version=environment.version,
        created_at=environment.created_at,
        created_by=environment.created_by,
        updated_at=environment.updated_at,
        updated_by=environment.updated_by,
    )


def _repository(repository: Repository) -> RepositoryView:
    return RepositoryView(
        url=repository.url,
        name=repository.name,
        branch=repository.branch,
        label=repository.label or repository.url,
    )


def of_session(session: Session, found: Environment | None) -> SessionView:
    """With what was found of its environment now; None: it is gone."""
    view = views.of_session(session)
    if view.environment is None:
        return view
    name = found.name if found else view.environment.name
    present = view.environment.model_copy(update={"name": name, "deleted": found is None})
    return view.model_copy(update={"environment": present})
