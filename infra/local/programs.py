"""The programs that make up one machine: how each is started, and what of our environment it sees.

Keys of model providers are in nobody's environment: they go into the deployed secret.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infra.local.place import Place
from layers.artifact import ROOT

_PASSED = frozenset(
    {
        *("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"),
        *("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"),
        *("CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"),
        *("SSL_CERT_DIR", "SSL_CERT_FILE"),
    }
)
_PASSED_PREFIXES = ("OUTBOARD_SANDBOX_", "OUTBOARD_SOCKET_")
_LOOPBACK = "127.0.0.1,localhost"


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    port: int
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path


def aws_host(place: Place, environment: Mapping[str, str]) -> Program:
    arguments = ("--state", place.state / "aws", "--access-key-file", place.aws_key)
    checkout = ("--checkout", ROOT)
    return _program("the AWS host", "aws", place, environment, *arguments, *checkout)


def sandbox_host(place: Place, environment: Mapping[str, str], template: Path) -> Program:
    arguments = ("--state", place.state / "sandboxes", "--template", template)
    key = ("--api-key-file", place.sandboxes_key)
    return _program("the sandbox host", "sandbox_host", place, environment, *arguments, *key)


def repository_host(place: Place, environment: Mapping[str, str]) -> Program:
    registry = ("--registry", place.state / "repositories.json")
    key = ("--key-file", place.repositories_key)
    return _program("the repository host", "repository_host", place, environment, *registry, *key)


def demo_model(place: Place, environment: Mapping[str, str]) -> Program:
    return _program("the demo model", "demo_model", place, environment)


def visible(environment: Mapping[str, str]) -> dict[str, str]:
    """What every program may see, and that this machine is not asked through a proxy."""
    passed = {
        name: value
        for name, value in environment.items()
        if name in _PASSED or name.startswith(_PASSED_PREFIXES)
    }
    return {**passed, **beside_a_proxy(environment), "PYTHONPATH": str(ROOT)}


def beside_a_proxy(environment: Mapping[str, str]) -> dict[str, str]:
    excepted = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    both = ",".join(filter(None, (excepted, _LOOPBACK)))
    return {"NO_PROXY": both, "no_proxy": both}


def _program(
    name: str, module: str, place: Place, environment: Mapping[str, str], *arguments: object
) -> Program:
    port = place.ports[name]
    command = [sys.executable, "-m", f"infra.local.{module}", "--port", str(port)]
    return Program(
        name=name,
        port=port,
        command=[*command, *map(str, arguments)],
        environment=visible(environment),
        log=place.logs / f"{module}.log",
    )


def isolation(place: Place) -> str:
    """As the sandbox host found out and says in the first line of its output."""
    try:
        first, *_ = (place.logs / "sandbox_host.log").read_text().splitlines()
        return str(json.loads(first)["isolation"])
    except (OSError, ValueError, KeyError, TypeError):
        return "of unknown isolation"
