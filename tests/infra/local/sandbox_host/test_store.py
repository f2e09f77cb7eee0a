"""What is on disk: whole records, no leftovers, and files while somebody stands on them."""

import json
from pathlib import Path

import pytest

from infra.local.sandbox_host.catalogue import Catalogue
from infra.local.sandbox_host.records import (
    Ended,
    Record,
    Sandbox,
    Snapshot,
    from_json,
    to_json,
    unreferenced,
)
from infra.local.sandbox_host.refusals import Malformed, NotFound
from infra.local.sandbox_host.store import Store, Unreadable
from tests.infra.local.sandbox_host.made_up import sandbox, snapshot


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def _with_files(store: Store, record: Sandbox) -> Sandbox:
    (store.home(record.id) / "files").mkdir(parents=True)
    store.save(record)
    return record


def _with_layer(store: Store, *names: str) -> None:
    for name in names:
        store.layer(name).mkdir()


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (Sandbox, sandbox(metadata={"a": "ü"}, layers=("l1", "l2"), key="k", fingerprint="f")),
        (Snapshot, snapshot()),
        (Ended, Ended(key="k", fingerprint="f", id="i1", template="t", access_token="a")),
    ],
)
def test_a_record_is_read_as_it_was_written(kind: type, record: Record):
    assert from_json(kind, json.loads(json.dumps(to_json(record)))) == record


def test_records_survive_and_are_their_owners_alone(store: Store):
    one = _with_files(store, sandbox())
    store.save(snapshot())

    again = Store(store.root)

    assert (again.sandboxes(), again.snapshots()) == ([one], [snapshot()])
    assert (store.home("i1") / "sandbox.json").stat().st_mode & 0o077 == 0


def test_a_creation_that_never_got_a_record_is_cleared_away(store: Store):
    (store.home("i2") / "files").mkdir(parents=True)
    _with_files(store, sandbox())

    Catalogue(store)
    store.empty_trash()

    assert [path.name for path in (store.root / "sandboxes").iterdir()] == ["i1"]
    assert not list((store.root / "trash").iterdir())


def test_layers_that_nobody_stands_on_are_cleared_away(store: Store):
    _with_layer(store, "base", "used", "taken", "left")
    _with_files(store, sandbox(layers=("used",)))
    store.save(snapshot(layers=("used", "taken")))

    Catalogue(store)

    assert {path.name for path in (store.root / "layers").iterdir()} == {"base", "used", "taken"}


def test_a_snapshots_files_stay_while_a_sandbox_stands_on_them(store: Store):
    _with_layer(store, "l1")
    one = _with_files(store, sandbox(layers=("l1",)))
    store.save(snapshot())
    catalogue = Catalogue(store)

    catalogue.forget_snapshot("snap1:default", runs=lambda _: True)

    assert store.layer("l1").exists()
    catalogue.forget_sandbox(one)
    assert not store.layer("l1").exists()


def test_a_snapshot_stays_while_a_paused_sandbox_was_created_from_it(store: Store):
    _with_layer(store, "l1")
    _with_files(store, sandbox(layers=("l1",), template="snap1:default"))
    store.save(snapshot())
    catalogue = Catalogue(store)

    with pytest.raises(Malformed, match="paused sandboxes using it"):
        catalogue.forget_snapshot("snap1:default", runs=lambda _: False)

    assert catalogue.layers_of("snap1:default") == ("l1",)


def test_a_snapshot_taken_again_takes_the_place_and_the_files_of_the_one_before(store: Store):
    catalogue = Catalogue(store)
    _with_layer(store, "l1", "l2")
    catalogue.keep(snapshot(id="local/s:default", name="local/s", layers=("l1",)))

    catalogue.keep(snapshot(id="local/s:default", name="local/s", layers=("l2",)))

    assert catalogue.layers_of("local/s:default") == ("l2",)
    assert [path.name for path in (store.root / "layers").iterdir()] == ["l2"]
    assert Catalogue(store).layers_of("local/s:default") == ("l2",)


def test_what_was_being_written_is_cleared_away(store: Store):
    _with_files(store, sandbox())
    (store.home("i1") / "sandbox.ab12").write_text('{"id": "')
    (store.root / "snapshots" / "snap1:default.cd34").write_text('{"id": "')

    Catalogue(store)

    assert {path.name for path in store.home("i1").iterdir()} == {"files", "sandbox.json"}
    assert not list((store.root / "snapshots").iterdir())


@pytest.mark.parametrize("template", ["outboard-1cpu", "outboard-1cpu-512mib", "base-512mib:v2"])
def test_a_size_that_the_machine_has_is_a_template(store: Store, template: str):
    assert Catalogue(store).layers_of(template) == ()


@pytest.mark.parametrize("template", ["outboard-4096cpu", "outboard-99999999mib", "outboard-cpu"])
def test_a_size_that_the_machine_has_not_is_none(store: Store, template: str):
    with pytest.raises(NotFound):
        Catalogue(store).layers_of(template)


def test_unreferenced_is_what_no_record_names():
    assert unreferenced(["a", "b", "c"], [sandbox(layers=("a",))], [snapshot(layers=("b",))]) == {
        "c"
    }


def test_how_a_killed_sandbox_was_created_stays_known(store: Store):
    one = _with_files(store, sandbox(key="k", fingerprint="f"))
    Catalogue(store).forget_sandbox(one)

    known = Catalogue(store).created_under("k")

    assert known == Ended(
        key="k", fingerprint="f", id="i1", template="outboard", access_token="token"
    )


def test_templates_are_the_base_and_the_snapshots(store: Store):
    _with_layer(store, "l1")
    store.save(snapshot())
    catalogue = Catalogue(store)

    assert catalogue.layers_of("outboard") == catalogue.layers_of("base:latest") == ()
    assert catalogue.layers_of("snap1:default") == ("l1",)
    with pytest.raises(NotFound):
        catalogue.layers_of("snap2:default")


def test_trash_is_emptied_whatever_is_in_it(store: Store, tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    closed = store.home("i1") / "closed" / "in"
    closed.mkdir(parents=True)
    (closed / "file").touch()
    (store.home("i1") / "link").symlink_to(outside)
    closed.chmod(0)
    closed.parent.chmod(0)
    link = store.home("dangling")
    link.symlink_to("/nothing/here")

    store.discard(store.home("i1"))
    store.discard(link)
    store.discard(store.home("never-was"))
    store.empty_trash()

    assert not list((store.root / "trash").iterdir())
    assert (outside / "kept").exists()


def test_a_damaged_record_stops_everything_before_something_is_thrown_away(store: Store):
    _with_layer(store, "l1")
    store.save(snapshot())
    (store.root / "snapshots" / "snap1:default.json").write_text('{"id": "snap1:def')

    with pytest.raises(Unreadable, match="can't be read"):
        Catalogue(store)

    assert store.layer("l1").exists()
