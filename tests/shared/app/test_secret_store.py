"""People's secrets: who may change them, how many there may be, and what a session gets."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from shared.app.ports.sealing import Sealer, SecretsUnavailable, Unsealable
from shared.app.ports.vault import Contents
from shared.app.ports.workspace import Role, User
from shared.app.secret_store import SecretStore
from shared.domain.errors import Contended, Forbidden, Invalid, NotFound
from shared.domain.repository_url import key
from shared.domain.secrets import EVERYWHERE, Scope, TooMuch, of_environment, of_repository
from shared.domain.session.state import Repository, UserId
from tests import build
from tests.build import NOW
from tests.fakes.environments import InMemoryEnvironments
from tests.fakes.sealing import FakeSealer
from tests.fakes.store_memory import Memory
from tests.fakes.vault import InMemoryVault

CANARY = "canary-5d2f"
URL = build.repository().url
TOOL = of_repository(key(URL))
OTHER_URL = "https://git.example.com/acme/other"
OTHER = of_repository(key(OTHER_URL))
BOX = of_environment("env-1")


def user(name: str, role: Role = "member") -> User:
    return User(UserId(name), name, role, NOW)


ADA, BOB = user("ada", "owner"), user("bob")


@dataclass
class Kept:
    memory: Memory = field(default_factory=Memory)
    sealer: FakeSealer = field(default_factory=FakeSealer)
    now: Any = NOW

    def __post_init__(self) -> None:
        ids = count(1)
        self.vault = InMemoryVault(self.memory)
        environments = InMemoryEnvironments(self.memory)
        box = build.environment(id=BOX.target, repositories=(build.repository(),))
        environments.create(box, "box")
        sealer: Sealer = self.sealer
        self.store = SecretStore(
            vault=self.vault,
            environments=environments,
            sealer=sealer,
            clock=lambda: self.now,
            new_id=lambda: f"v{next(ids)}",
        )

    def given(self, *urls: str) -> dict[str, str]:
        target = tuple(Repository(url=url, name="any") for url in urls)
        return dict(self.store.of_session(replace(build.session(), target=target)))


def names(contents: Contents) -> list[str]:
    return [entry.name for entry in contents.entries]


def test_what_is_set_is_known_by_name_time_and_person_and_nothing_else():
    kept = Kept()

    contents = kept.store.put(BOB, TOOL, {"token": CANARY, "A_KEY": "x"})

    assert names(contents) == ["A_KEY", "TOKEN"]
    assert {(entry.at, entry.by) for entry in contents.entries} == {(NOW, "bob")}
    assert contents == kept.vault.contents(TOOL)
    assert CANARY not in repr((contents, kept.memory.secrets, kept.memory.contents))


def test_another_value_takes_the_place_of_the_first():
    kept = Kept()
    kept.store.put(BOB, TOOL, {"A": "1", "B": "1"})
    kept.now += timedelta(hours=1)

    contents = kept.store.put(ADA, TOOL, {"a": "2"})

    assert [(entry.by, entry.at) for entry in contents.entries] == [("ada", kept.now), ("bob", NOW)]
    assert kept.given(URL) == {"A": "2", "B": "1"}


def test_only_the_owner_changes_what_everybody_gets():
    kept = Kept()
    kept.store.put(ADA, EVERYWHERE, {"A": "1"})

    for change in (
        lambda: kept.store.put(BOB, EVERYWHERE, {"A": "2"}),
        lambda: kept.store.remove(BOB, EVERYWHERE, "A"),
        lambda: kept.store.rotate(BOB, TOOL),
    ):
        with pytest.raises(Forbidden):
            change()

    assert kept.given() == {"A": "1"}
    for scope in (TOOL, BOX):
        assert names(kept.store.put(BOB, scope, {"A": "2"})) == ["A"]


def test_what_is_removed_is_gone_and_may_be_removed_again():
    kept = Kept()
    kept.store.put(BOB, TOOL, {"A": "1", "B": "2"})

    for _ in range(2):
        assert names(kept.store.remove(BOB, TOOL, "a")) == ["B"]

    assert kept.given(URL) == {"B": "2"}


def test_a_session_gets_what_is_everybodys_and_its_repositories_where_the_first_one_wins():
    kept = Kept()
    kept.store.put(ADA, EVERYWHERE, {"A": "global", "B": "global", "C": "global"})
    kept.store.put(BOB, TOOL, {"B": "tool", "C": "tool"})
    kept.store.put(BOB, OTHER, {"C": "other", "D": "other"})
    kept.store.put(BOB, BOX, {"A": "box"})

    assert kept.given() == {"A": "global", "B": "global", "C": "global"}
    assert kept.given(URL) == {"A": "global", "B": "tool", "C": "tool"}
    assert kept.given(f"{OTHER_URL}.git", URL) == {
        "A": "global",
        "B": "tool",
        "C": "other",
        "D": "other",
    }


def test_a_scope_that_would_be_too_full_stays_as_it_was():
    kept = Kept()
    before = kept.store.put(BOB, TOOL, {f"N{number}": "x" for number in range(49)})

    with pytest.raises(Invalid, match="51 secrets, and 50"):
        kept.store.put(BOB, TOOL, {"A": CANARY, "B": CANARY})
    with pytest.raises(Invalid, match="65540 bytes, and 65536"):
        kept.store.put(
            BOB, TOOL, {f"N{number}": "x" * 16 * 1024 for number in range(4)} | {"A": "x" * 4}
        )

    assert kept.vault.contents(TOOL) == before
    kept.store.put(BOB, TOOL, {f"N{number}": "y" for number in range(49)} | {"A": "x"})


def test_too_much_for_one_session_is_said_with_each_share():
    kept = Kept()
    for scope in (TOOL, OTHER):
        values = {f"{scope.target[-1].upper()}{n}": "x" * 16 * 1024 for n in range(4)}
        kept.store.put(BOB, scope, values)
    kept.store.put(ADA, EVERYWHERE, {"A": "x"})

    with pytest.raises(TooMuch, match=f"1 of global, 65536 of {OTHER}, 65536 of {TOOL}"):
        kept.given(URL, OTHER_URL)
    assert len(kept.given(URL)) == 5


def test_two_changes_at_once_both_count():
    kept = Kept()
    seal = kept.sealer.seal

    class Interrupted(FakeSealer):
        def seal(self, context: str, values: Any) -> Any:
            kept.store.put(BOB, TOOL, {"B": "2"})
            return seal(context, values)

    store = replace(kept.store, sealer=Interrupted())

    assert names(store.put(BOB, TOOL, {"A": "1"})) == ["A", "B"]


class Busy(InMemoryVault):
    """Somebody else is always ahead."""

    def __init__(self, memory: Memory, times: int) -> None:
        super().__init__(memory)
        self.times = times

    def change(self, before: Contents, after: Contents, put: Any) -> None:
        self.times -= 1
        if self.times >= 0:
            raise Contended("busy")
        super().change(before, after, put)


def test_a_change_is_tried_again_and_given_up_in_the_end():
    kept = Kept()

    store = replace(kept.store, vault=Busy(kept.memory, 4))
    assert names(store.put(BOB, TOOL, {"A": "1"})) == ["A"]
    with pytest.raises(Contended):
        replace(kept.store, vault=Busy(kept.memory, 5)).put(BOB, TOOL, {"A": "2"})


@pytest.mark.parametrize("scope", [TOOL, None], ids=["one scope", "every scope"])
def test_what_is_rotated_is_under_another_key_and_the_same(scope: Scope | None):
    kept = Kept()
    kept.store.put(BOB, TOOL, {"A": "1"})
    kept.now += timedelta(hours=1)
    before = kept.store.put(BOB, TOOL, {"B": "2"})
    old = {sealed.wrapped_key for sealed in kept.memory.secrets[TOOL].values()}

    (rotated,) = kept.store.rotate(ADA, scope)

    assert rotated.entries == before.entries
    new = {sealed.wrapped_key for sealed in kept.memory.secrets[TOOL].values()}
    assert len(new) == 1
    assert new.isdisjoint(old)
    kept.sealer.gone |= old
    assert kept.given(URL) == {"A": "1", "B": "2"}


def test_what_cannot_be_opened_is_not_left_out():
    kept = Kept()
    kept.store.put(ADA, EVERYWHERE, {"A": "1"})
    kept.store.put(BOB, TOOL, {"B": "2"})
    kept.sealer.gone |= {kept.memory.secrets[TOOL]["B"].wrapped_key}

    with pytest.raises(Unsealable, match="B cannot be opened"):
        kept.given(URL)


def test_an_item_that_is_missing_is_not_left_out():
    kept = Kept()
    kept.store.put(BOB, TOOL, {"B": "2"})
    kept.memory.secrets[TOOL].clear()

    with pytest.raises(SecretsUnavailable, match="cannot be read"):
        kept.given(URL)


def test_a_repositorys_are_copied_to_an_environment_that_has_it():
    kept = Kept()
    kept.store.put(BOB, TOOL, {"A": CANARY, "B": "b", "C": "c"})
    kept.store.put(BOB, BOX, {"A": "older", "D": "d"})

    after = kept.store.copy(BOB, BOX.target, key(URL), ["a", "B"])
    again = kept.store.copy(BOB, BOX.target, key(URL), ["a", "B"])

    assert after.names == again.names == {"A", "B", "D"}
    opened = kept.sealer.open(str(BOX), kept.vault.sealed(BOX))
    assert opened == {"A": CANARY, "B": "b", "D": "d"}
    assert kept.vault.contents(TOOL).names == {"A", "B", "C"}


def test_what_is_missing_or_not_the_environments_is_not_copied():
    kept = Kept()
    kept.store.put(BOB, TOOL, {"A": CANARY})
    kept.store.put(BOB, OTHER, {"A": CANARY})

    with pytest.raises(Invalid, match="has no B, C"):
        kept.store.copy(BOB, BOX.target, key(URL), ["A", "C", "B"])
    with pytest.raises(Invalid, match="not in this environment"):
        kept.store.copy(BOB, BOX.target, key(OTHER_URL), ["A"])
    with pytest.raises(NotFound):
        kept.store.copy(BOB, "env-2", key(URL), ["A"])

    assert kept.vault.contents(BOX).names == frozenset()


def test_nothing_is_set_for_an_environment_that_is_not_there():
    """It would reach nobody, and nobody would be told."""
    kept = Kept()
    with pytest.raises(NotFound):
        kept.store.put(BOB, of_environment("production"), {"A": CANARY})

    assert not kept.vault.contents(of_environment("production")).names
