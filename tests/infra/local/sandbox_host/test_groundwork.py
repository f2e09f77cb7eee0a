"""A sandbox's files fit how it runs, whatever was interrupted before."""

from pathlib import Path

import pytest

from infra.local.sandbox_host.groundwork import Groundwork
from infra.local.sandbox_host.machine import Machine, prepare
from infra.local.sandbox_host.records import Sandbox
from infra.local.sandbox_host.store import Store
from tests.infra.local.sandbox_host.made_up import sandbox

OVERLAID = sandbox(isolation="bubblewrap+overlay", layers=("l1",))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "template").mkdir()
    machine = prepare(Store(tmp_path / "state"), tmp_path / "template", mark="mark")
    (machine.store.layer("l1") / "workspace").mkdir(parents=True)
    (machine.store.layer("l1") / "workspace" / "low").write_text("low")
    return machine


def _write(machine: Machine, record: Sandbox, name: str, directory: str = "files") -> None:
    path = machine.store.home(record.id) / directory / "workspace" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(name)


def _names(machine: Machine, record: Sandbox) -> set[str]:
    files = machine.store.home(record.id) / "files" / "workspace"
    return {path.name for path in files.iterdir()}


def test_an_overlaid_sandbox_stands_on_its_layers_and_copies_nothing(machine: Machine):
    laid = Groundwork(machine, "bubblewrap+overlay").lay_out(OVERLAID)

    assert laid == OVERLAID
    assert not list((machine.store.home("i1") / "files").iterdir())


def test_where_nothing_is_overlaid_it_gets_a_copy(machine: Machine):
    laid = Groundwork(machine, "bubblewrap").lay_out(OVERLAID)

    assert laid == sandbox(isolation="bubblewrap", layers=())
    assert _names(machine, laid) == {"low"}


def test_too_many_layers_become_a_copy(machine: Machine):
    deep = sandbox(layers=("l1",) * 33)

    laid = Groundwork(machine, "bubblewrap+overlay").lay_out(deep)

    assert laid.layers == ()
    assert _names(machine, laid) == {"low"}


def test_a_change_that_was_cut_short_is_done_again(machine: Machine):
    _write(machine, OVERLAID, "own", "overlaid")
    _write(machine, OVERLAID, "half", "files")

    adapted = Groundwork(machine, "bubblewrap").adapt(OVERLAID)

    assert adapted == sandbox(isolation="bubblewrap", layers=())
    assert _names(machine, adapted) == {"low", "own"}


def test_a_change_that_was_cut_short_is_undone_when_it_is_no_longer_wanted(machine: Machine):
    _write(machine, OVERLAID, "own", "overlaid")
    _write(machine, OVERLAID, "half", "files")

    adapted = Groundwork(machine, "bubblewrap+overlay").adapt(OVERLAID)

    assert adapted == OVERLAID
    assert _names(machine, adapted) == {"own"}


def test_a_change_that_was_saved_but_not_settled_keeps_its_result(machine: Machine):
    changed = sandbox(isolation="bubblewrap", layers=())
    _write(machine, changed, "own", "files")
    _write(machine, changed, "old", "overlaid")

    adapted = Groundwork(machine, "bubblewrap").adapt(changed)

    assert _names(machine, adapted) == {"own"}
    assert not (machine.store.home("i1") / "overlaid").exists()
