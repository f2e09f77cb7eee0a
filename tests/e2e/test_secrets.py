"""Secrets on a whole machine: they reach the sandbox, and nobody who looks anywhere else."""

import subprocess
import sys
from collections.abc import Generator
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.e2e.machine import ROOT, Machine, git, repository
from tests.e2e.searching import items, logs
from tests.e2e.talk import Api, Talk

GLOBAL, OWN, ALIEN = "canary-global-5d2f81", "canary-repository-77ab02", "canary-alien-c0ffee"
CANARIES = (GLOBAL, OWN, ALIEN)

EVENTS_ARE_REDACTED = True
"""Whether the bridge takes secrets out of all that it says. As long as it does not, what an agent
prints stands in the timeline, and what is read from there is not looked at.
"""

USES = 'printf \'%s %s\' "$GLOBAL_TOKEN" "$TOOL_TOKEN" | sha256sum | cut -c1-64 > found.txt'
PRINTS = f"{USES}; env; env > ~/environment.txt"


@pytest.fixture(scope="module")
def asking(machine: Machine) -> Generator[Api]:
    with Api(machine) as api:
        yield api


@pytest.fixture(scope="module")
def environment(asking: Api, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One that no session here is from."""
    shop = repository(tmp_path_factory.mktemp("environment") / "shop", readme="hello")
    asked = {"requestId": "e1", "name": "Shop", "repositories": [{"url": asking.served(shop)}]}
    return asking("POST", "/environments", asked)["id"]


@pytest.fixture
def tool(machine: Machine, asking: Api, environment: str, tmp_path: Path) -> Generator[Path]:
    """A repository with secrets of its own, beside those of everything and of others."""
    path = repository(tmp_path / "tool", readme="hello")
    other = repository(tmp_path / "other", readme="hello")
    given = tmp_path / "given.env"
    given.write_text(f"GLOBAL_TOKEN='{GLOBAL}'\nTOOL_TOKEN='overridden'\n")
    assert machine.outboard("secret", "import", str(given)).returncode == 0
    given.unlink()
    put(asking, "repository", asking.served(path), TOOL_TOKEN=OWN)
    put(asking, "repository", asking.served(other), ALIEN_TOKEN=ALIEN)
    put(asking, "environment", environment, ALIEN_TOKEN=ALIEN)
    yield path
    for name in ("GLOBAL_TOKEN", "TOOL_TOKEN"):
        asking("DELETE", f"/secrets/{name}?scope=global")


def put(api: Api, scope: str, target: str, **values: str) -> None:
    api("PUT", "/secrets", {"scope": scope, "target": target, "values": values})


def expected(*values: str) -> str:
    return sha256(" ".join(values).encode()).hexdigest() + "\n"


@pytest.mark.parametrize("command", [USES, PRINTS], ids=["uses", "prints"])
def test_a_secret_reaches_the_sandbox_and_nobody_elses_eyes(
    machine: Machine, asking: Api, tool: Path, command: str
):
    talk = asking.open(tool)

    talk.done(f'test -z "$ALIEN_TOKEN" && {command}')

    assert git(tool, "show", f"{talk.branch}:found.txt") == expected(GLOBAL, OWN)
    events = EVENTS_ARE_REDACTED or command == USES
    for place, text in looked_at(machine, talk, events=events):
        for canary in CANARIES:
            assert canary not in text, f"{canary} is in {place}"


def test_secrets_outlive_a_power_cut_and_a_change_counts_from_the_next_start(
    machine: Machine, asking: Api, tool: Path
):
    put(asking, "repository", asking.served(tool), TOOL_TOKEN="canary-newer")
    asking("POST", "/secrets/rotate", {})
    machine.kill()
    machine.start()

    talk = asking.open(tool)
    talk.done(USES)

    assert git(tool, "show", f"{talk.branch}:found.txt") == expected(GLOBAL, "canary-newer")


def test_a_value_is_set_from_the_standard_input_and_is_in_no_list_of_processes(
    machine: Machine, environment: str
):
    process = subprocess.run(
        [sys.executable, "-m", "shared.client", "secret", "set", "piped", "--env", environment],
        input=f"{ALIEN}\n",
        cwd=ROOT,
        env=machine._environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "PIPED" in process.stdout
    assert ALIEN not in process.stdout + process.stderr


def looked_at(machine: Machine, talk: Talk, *, events: bool) -> Generator[tuple[str, str]]:
    """Wherever somebody may look: each with what is there."""
    yield from answers(talk, events=events)
    yield from logs(machine)
    for item in items(machine):
        if events or not item["SK"]["S"].startswith(("LOG#", "ATTEMPT#")):
            yield f"item {item['PK']['S']} {item['SK']['S']}", str(item)


def answers(talk: Talk, *, events: bool) -> Generator[tuple[str, str]]:
    own = talk.view()["repositories"][0]["url"]
    (shop,) = talk.api("GET", "/environments")["environments"]
    asked = [
        *(f"/sessions/{talk.id}{rest}" for rest in ("", "/prompts/1", "/artifacts", "/boots")),
        *("/sessions?limit=20", "/models", "/me", "/settings/sandbox"),
        "/secrets?scope=global",
        f"/secrets?{urlencode({'scope': 'repository', 'target': own})}",
        f"/secrets?scope=environment&target={shop['id']}",
        *([f"/sessions/{talk.id}/timeline?after=0&limit=1000"] if events else []),
    ]
    for path in asked:
        yield path, str(talk.api("GET", path))
