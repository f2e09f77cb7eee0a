"""The contract of `Vault`, kept by the fake and by DynamoDB alike."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.app.ports.sealing import Sealed
from shared.app.ports.vault import Contents, Entry
from shared.domain.errors import Contended
from shared.domain.repository_url import key
from shared.domain.secrets import EVERYWHERE, Scope, of_environment, of_repository
from shared.domain.session.state import UserId
from tests.build import NOW
from tests.fakes.store_faults import Fault
from tests.shared.adapters.dynamodb.committing import insist
from tests.shared.adapters.dynamodb.worlds import World

TOOL = of_repository(key(f"https://git.example.com/{'deep/' * 300}tool"))
BOX = of_environment("env-1")


def sealed(text: str) -> Sealed:
    return Sealed(key_id="arn:key", wrapped_key="d3JhcHBlZA==", nonce="bm9uY2U=", text=text)


def contents(scope: Scope, version: str, *names: str) -> Contents:
    entries = (Entry(name=name, size=3, at=NOW, by=UserId("ada")) for name in names)
    return Contents(scope=scope, entries=tuple(entries), version=version)


def keep(world: World, scope: Scope, version: str, *names: str) -> Contents:
    after = contents(scope, version, *names)
    put = {name: sealed(f"{scope.kind}-{name}") for name in names}
    world.vault.change(world.vault.contents(scope), after, put)
    return after


def test_where_nothing_was_kept_there_is_nothing(world: World):
    assert world.vault.contents(TOOL) == Contents(scope=TOOL)
    assert world.vault.sealed(TOOL) == {}
    assert world.vault.scopes() == []


def test_each_scope_is_kept_by_itself(world: World):
    kept = [keep(world, scope, "v1", "A", "B") for scope in (EVERYWHERE, TOOL, BOX)]

    assert [world.vault.contents(scope) for scope in (EVERYWHERE, TOOL, BOX)] == kept
    assert set(world.vault.scopes()) == {EVERYWHERE, TOOL, BOX}
    assert world.vault.sealed(BOX) == {
        "A": sealed("environment-A"),
        "B": sealed("environment-B"),
    }


def test_a_change_writes_some_keeps_some_and_takes_some_away(world: World):
    before = keep(world, TOOL, "v1", "A", "B", "C")
    later = replace(before.entries[0], at=NOW + timedelta(days=1), by=UserId("bob"))
    after = replace(before, entries=(later, before.entries[1]), version="v2")

    world.vault.change(before, after, {"A": sealed("newer")})

    assert world.vault.contents(TOOL) == after
    assert world.vault.sealed(TOOL) == {"A": sealed("newer"), "B": sealed("repository-B")}


def test_a_scope_that_was_emptied_has_nothing_and_goes_on_from_there(world: World):
    before = keep(world, TOOL, "v1", "A")
    emptied = contents(TOOL, "v2")
    world.vault.change(before, emptied, {})

    assert world.vault.scopes() == []
    assert world.vault.sealed(TOOL) == {}
    with pytest.raises(Contended):
        world.vault.change(Contents(scope=TOOL), contents(TOOL, "v3", "A"), {"A": sealed("x")})


@pytest.mark.parametrize("read", [None, "v0"])
def test_what_has_changed_since_it_was_read_stays(world: World, read: str | None):
    kept = keep(world, TOOL, "v1", "A")
    outdated = replace(kept, version=read)

    with pytest.raises(Contended):
        world.vault.change(outdated, contents(TOOL, "v2", "B"), {"B": sealed("x")})

    assert world.vault.contents(TOOL) == kept
    assert world.vault.sealed(TOOL).keys() == {"A"}


@pytest.mark.parametrize("lost", [1, 5], ids=["once", "for long"])
def test_a_lost_answer_is_not_taken_for_another_editor(world: World, lost: int):
    after = contents(TOOL, "v1", "A")
    world.faults.plan(*[Fault.LOST] * lost)

    insist(lambda: world.vault.change(Contents(scope=TOOL), after, {"A": sealed("x")}))

    assert world.vault.contents(TOOL) == after


def test_a_full_scope_is_written_and_emptied_at_once(world: World):
    names = [f"N{number:02d}" for number in range(50)]
    before = Contents(scope=TOOL)
    full = contents(TOOL, "v1", *names)

    world.vault.change(before, full, {name: sealed("x" * 1_700) for name in names})
    assert world.vault.sealed(TOOL).keys() == set(names)
    world.vault.change(full, contents(TOOL, "v2"), {})

    assert world.vault.sealed(TOOL) == {}
