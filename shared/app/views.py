"""Domain values become wire messages here and nowhere else."""

from collections.abc import Iterable, Mapping
from typing import Any

from shared.app.attachment_views import attached, of_file
from shared.app.ports.connections import Viewer
from shared.app.ports.sessions import Artifact, PromptRecord
from shared.app.ports.workspace import User
from shared.app.pull_request_views import of_offer, of_pull_request
from shared.app.settings_views import of_settings
from shared.domain.session.state import Author, Push, Repository, Session
from shared.domain.timeline import Entry
from shared.protocol import api, browser, client
from shared.protocol.models import DEMO
from shared.protocol.provenance import SessionEnvironment
from shared.protocol.server_events import SERVER_SAYS
from shared.protocol.tokens import counts


def of_session(session: Session) -> api.SessionView:
    return api.SessionView(
        id=session.id,
        title=session.title,
        owner=session.owner,
        environment=_environment(session),
        status=session.status,
        sandbox=_sandbox(session),
        repositories=[
            of_repository(repository, session.pushed(repository.name))
            for repository in session.target
        ],
        model=session.model,
        effort=session.effort,
        settings=of_settings(session.settings),
        demo=session.model == DEMO.id,
        prompts=session.prompts,
        unfinished=session.unfinished,
        finished=session.finished,
        outcome=session.last_outcome,
        running=session.running.prompt.number if session.running else None,
        held=session.held,
        retry_at=session.retry_at,
        branch=session.branch,
        commit=session.commit,
        pull_requests=[of_pull_request(told) for told in session.pull_requests],
        offers=[of_offer(offer) for offer in session.offers],
        cost=round(session.cost, 6),
        tokens=counts(session.tokens),
        created_at=session.created_at,
        updated_at=session.updated_at,
    )


def _environment(session: Session) -> SessionEnvironment | None:
    of = session.environment
    return None if of is None else SessionEnvironment(id=of.environment, name=of.name)


def _sandbox(session: Session) -> api.SandboxView:
    attempt, copy = session.attempt, session.workspace.snapshot
    boots = attempt is not None and not attempt.complete
    return api.SandboxView(
        status=session.sandbox,
        attempt=attempt.number if attempt else None,
        phase=attempt.phase if attempt and boots else None,
        repository=attempt.repository if attempt and boots else None,
        error=session.error,
        expires_at=attempt.expires_at if attempt else None,
        tunnels={str(port): address for port, address in attempt.tunnels} if attempt else {},
        saved_at=copy.at if copy else None,
    )


def of_repository(repository: Repository, push: Push | None = None) -> api.RepositoryView:
    return api.RepositoryView(
        url=repository.url,
        name=repository.name,
        branch=repository.branch,
        label=repository.label or repository.url,
        pushed_branch=push.branch if push else None,
        pushed_commit=push.commit if push else None,
    )


def of_prompt(record: PromptRecord) -> api.PromptView:
    prompt = record.prompt
    return api.PromptView(
        number=prompt.number,
        status=record.status,
        author=_author(prompt.author),
        user=prompt.author.user,
        text=record.text,
        attachments=[attached(file) for file in record.attachments],
        model=prompt.model,
        effort=prompt.effort,
        created_at=record.created_at,
        finished_at=record.finished_at,
        error=record.error,
        branch=record.branch,
        commit=record.commit,
        cost=record.cost,
        tokens=counts(record.tokens),
    )


def _author(author: Author) -> api.AuthorView:
    return api.AuthorView(name=author.name, email=author.email)


def of_artifact(artifact: Artifact) -> api.ArtifactView:
    return api.ArtifactView(
        id=artifact.id,
        kind=artifact.kind,
        title=artifact.title,
        url=artifact.url,
        metadata=dict(artifact.metadata),
        file=of_file(artifact.file) if artifact.file else None,
        created_at=artifact.created_at,
    )


def of_user(user: User) -> api.UserView:
    return api.UserView(name=user.name, role=user.role, created_at=user.created_at)


def of_me(user: User, *, via: browser.Via) -> browser.Me:
    return browser.Me(
        name=user.name,
        role=user.role,
        display_name=user.shown_name,
        email=user.email,
        created_at=user.created_at,
        via=via,
    )


def of_entry(entry: Entry) -> api.EntryView:
    return api.EntryView(
        seq=entry.seq,
        at=entry.at,
        attempt=entry.frame.attempt,
        events=[dict(event) for event in entry.frame.events],
    )


def frame_message(entry: Entry) -> client.Frame:
    return client.Frame(
        seq=entry.seq,
        at=entry.at,
        attempt=entry.frame.attempt,
        items=[_item(event) for event in entry.frame.events],
    )


def _item(event: Mapping[str, Any]) -> client.Item:
    """The server's own facts keep their name; what a bridge says is wrapped as `sandbox_event`."""
    kind = str(event.get("type", ""))
    return client.Item(type=kind if kind in SERVER_SAYS else "sandbox_event", event=dict(event))


def participants(viewers: Iterable[Viewer]) -> list[client.Participant]:
    """One for each person: several tabs are one participant, and an active tab wins."""
    people: dict[str, client.Participant] = {}
    for viewer in viewers:
        known = people.get(viewer.user)
        active = viewer.visible or (known is not None and known.status == "active")
        people[viewer.user] = client.Participant(
            user=viewer.user, name=viewer.name, status="active" if active else "idle"
        )
    return sorted(people.values(), key=lambda participant: participant.user)
