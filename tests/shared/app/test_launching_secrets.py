"""A sandbox gets the secrets that are set when it starts, all of them or it does not start."""

from collections.abc import Mapping

import pytest

from shared.app.lives import Life
from shared.app.ports.sealing import SecretsUnavailable
from shared.domain import secrets
from shared.domain.repository_url import key
from shared.domain.secrets import EVERYWHERE, Scope, of_environment, of_repository
from shared.domain.session.failures import ADVICE, Failure
from shared.domain.session.sandbox import SandboxStatus
from shared.domain.session.state import PromptStatus
from shared.protocol.bridge import Identity
from tests import build
from tests.fakes.environments import InMemoryEnvironments
from tests.shared.app.stories import (
    attempt_of,
    identity_in,
    next_prompt,
    put_away,
    session_of,
    waiting,
)
from tests.world import World

TOOL = of_repository(key(build.repository().url))
ELSEWHERE = of_repository(key("https://git.example.com/acme/other"))
CANARY = "canary-5d2f"


def put(world: World, scope: Scope, values: Mapping[str, str]) -> None:
    owner = world.app.accounts.ensure_owner("ada")[0]
    world.app.secret_store.put(owner, scope, values)


def launched(world: World) -> Identity:
    world.lives.launch(waiting(world))
    return identity_in(world.machine())


def test_what_is_set_for_everything_and_for_the_repository_is_in_the_environment():
    world = World()
    world.secrets.values = {"OPENAI_BASE_URL": "https://models.example.com"}
    put(world, EVERYWHERE, {"TOKEN": "global", "SHARED": "global"})
    put(world, TOOL, {"TOKEN": "tool"})
    put(world, ELSEWHERE, {"ALIEN": "x"})
    elsewhere = build.environment()
    InMemoryEnvironments(world.memory).create(elsewhere, "elsewhere")
    put(world, of_environment(elsewhere.id), {"ALIEN": "x"})

    told = launched(world)

    assert told.environment == {
        "TOKEN": "tool",
        "SHARED": "global",
        "OPENAI_BASE_URL": "https://models.example.com",
        "OUTBOARD_DEMO_MODEL_URL": "http://127.0.0.1:1/v1",
    }
    assert told.secret_names == ["SHARED", "TOKEN"]


def test_a_model_key_that_people_set_takes_the_place_of_the_deployments():
    world = World()
    world.secrets.values = {"ANTHROPIC_API_KEY": "deployment", "OPENAI_API_KEY": "deployment"}
    put(world, EVERYWHERE, {"ANTHROPIC_API_KEY": "people"})

    told = launched(world)

    assert told.environment["ANTHROPIC_API_KEY"] == "people"
    assert told.environment["OPENAI_API_KEY"] == "deployment"
    assert told.secret_names == ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]


def test_a_bridge_that_knows_of_no_secret_names_gets_the_same_environment():
    told = Identity.model_validate_json(
        '{"session":"s","attempt":1,"token":"t","socketUrl":"w","repositories":[],'
        '"sessionBranch":"b","environment":{"A":"1"}}'
    )

    assert (told.environment, told.secret_names) == ({"A": "1"}, [])


def test_a_sandbox_that_wakes_gets_what_is_set_by_then():
    world = World()
    put(world, TOOL, {"OLD": CANARY, "KEPT": "1"})
    first = put_away(world)
    owner = world.app.accounts.ensure_owner("ada")[0]
    world.app.secret_store.remove(owner, TOOL, "OLD")
    put(world, TOOL, {"KEPT": "2", "NEW": "3"})

    life = next_prompt(world, first)
    world.lives.prepare(life)
    world.lives.launch(life)

    told = identity_in(world.machine())
    assert told.secret_names == ["KEPT", "NEW"]
    assert (told.environment["KEPT"], told.environment["NEW"]) == ("2", "3")
    assert "OLD" not in told.environment


def test_secrets_that_nobody_can_open_fail_the_boot_and_make_no_sandbox():
    world = World()
    put(world, TOOL, {"TOKEN": CANARY})
    world.sealer.gone |= {world.memory.secrets[TOOL]["TOKEN"].wrapped_key}
    life = waiting(world)

    answer = world.lives.launch(life)

    record = world.app.store.prompt(life.session_id, 1)
    assert answer["outcome"] == "failed"
    assert world.sandboxes.calls == []
    assert record.status is PromptStatus.FAILED
    assert record.error == (
        "the boot failed in phase starting: its secrets cannot be handed over:"
        " the secret TOKEN cannot be opened:"
        f" {ADVICE[Failure.SECRETS]}"
    )
    assert session_of(world, life).sandbox is SandboxStatus.FAILED
    assert CANARY not in repr(session_of(world, life))


def test_secrets_that_are_too_much_together_fail_the_boot_and_say_of_which_scope_they_are():
    world = World()
    full = {f"A{number}": "x" * secrets.MAX_VALUE_BYTES for number in range(4)}
    put(world, EVERYWHERE, {name.replace("A", "B"): value for name, value in full.items()})
    put(world, TOOL, full)
    life = waiting(world)
    assert world.lives.launch(life)["outcome"] == "launched"

    other = World()
    put(other, EVERYWHERE, {name.replace("A", "B"): value for name, value in full.items()})
    put(other, TOOL, full)
    other.memory.secrets[TOOL] = dict(
        other.sealer.seal(str(TOOL), {**full, "A0": "x" * (secrets.MAX_VALUE_BYTES + 1)})
    )
    life = waiting(other)

    assert other.lives.launch(life)["outcome"] == "failed"
    assert f"65536 of global, 65537 of {TOOL}" in (session_of(other, life).error or "")


@pytest.mark.parametrize("what", ["the key", "the table"])
def test_secrets_that_cannot_be_read_now_are_for_the_workflow_to_try_again(what: str):
    world = World()
    put(world, TOOL, {"TOKEN": CANARY})
    life = waiting(world)
    if what == "the key":
        world.sealer.failure = SecretsUnavailable("KMS does not answer")
    else:
        world.memory.secrets[TOOL].clear()

    with pytest.raises(SecretsUnavailable):
        world.lives.launch(life)

    assert world.sandboxes.calls == []
    assert attempt_of(world, life).ending is None


def test_no_secret_is_kept_with_the_session_or_told_to_the_provider():
    world = World()
    put(world, TOOL, {"TOKEN": CANARY})

    life: Life = waiting(world)
    world.lives.launch(life)

    partition = world.memory.partitions[life.session_id]
    log = world.memory.logs[life.session_id]
    assert CANARY not in repr((partition, log, world.memory.contents, world.memory.secrets))
    assert CANARY not in repr((world.machine().environment, world.machine().info))
