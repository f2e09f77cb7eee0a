"""What a sandbox is told at launch, and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.domain.session.sandbox import Attempt
from shared.domain.session.state import Session
from shared.protocol.bridge import Identity, RepositorySpec

MODEL_VARIABLES = (
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OUTBOARD_MODEL",
)
MODEL_KEYS = frozenset(name for name in MODEL_VARIABLES if name.endswith("_API_KEY"))


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where a sandbox finds us."""

    bridges_socket_url: str
    api_url: str
    demo_model_url: str
    heartbeat_seconds: float


@dataclass(frozen=True, slots=True)
class Handed:
    """Secrets by name: the deployment's own, and what people have set for such a session."""

    deployment: Mapping[str, str]
    session: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Which sandbox it is, and where its ports are reached from outside."""

    provider_id: str
    tunnels: tuple[tuple[int, str], ...] = ()


def identity_of(
    session: Session,
    attempt: Attempt,
    *,
    token: str,
    secrets: Handed,
    endpoints: Endpoints,
    place: Place,
) -> Identity:
    return Identity(
        session=session.id,
        attempt=attempt.number,
        token=token,
        socket_url=endpoints.bridges_socket_url,
        api_url=endpoints.api_url,
        repositories=[
            RepositorySpec(url=repository.url, name=repository.name, branch=repository.branch)
            for repository in session.target
        ],
        session_branch=session.session_branch,
        resumed=attempt.resumed,
        boot=attempt.boot.value,
        sandbox_id=place.provider_id,
        tunnel_ports=list(session.settings.tunnel_ports or ()),
        tunnels={str(port): address for port, address in place.tunnels},
        environment=_environment(secrets, endpoints),
        secret_names=_secret_names(secrets),
        heartbeat_seconds=endpoints.heartbeat_seconds,
    )


def _environment(secrets: Handed, endpoints: Endpoints) -> dict[str, str]:
    """The model's key and where it is; none of the deployment's other secrets. People's win."""
    environment = {**_of_models(secrets.deployment), **secrets.session}
    if endpoints.demo_model_url:
        environment["OUTBOARD_DEMO_MODEL_URL"] = endpoints.demo_model_url
    return environment


def _of_models(deployment: Mapping[str, str]) -> dict[str, str]:
    return {name: deployment[name] for name in MODEL_VARIABLES if deployment.get(name)}


def _secret_names(secrets: Handed) -> list[str]:
    keys = MODEL_KEYS & _of_models(secrets.deployment).keys()
    return sorted(keys | secrets.session.keys())
