"""`outboard settings` against the real entry points."""

import pytest

from tests import build
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

URL = build.repository().url
KEY = URL.removesuffix(".git")


def test_where_nothing_is_chosen_that_is_what_is_shown(real_outboard: Outboard):
    ran = real_outboard("settings")

    assert ran.status == 0
    assert ran.out.splitlines()[1:] == [
        "  session-timeout  -",
        "  final-buffer     -",
        "  inactivity       -",
        "  tunnel-ports     -",
        "  cpu              -",
        "  memory           -",
    ]


def test_everything_is_set_at_once(real_outboard: Outboard):
    words = (
        *("--session-timeout", "2h", "--final-buffer", "10m", "--inactivity", "1h30m"),
        *("--tunnel-ports", "3000,8000", "--cpu", "2", "--memory", "4096"),
    )

    ran = real_outboard("settings", "set", *words)
    (as_json,) = real_outboard("settings", "--json").json

    assert ran.status == 0, ran.err
    assert ran.out.splitlines()[1:] == [
        "  session-timeout  2h",
        "  final-buffer     10m",
        "  inactivity       1h30m",
        "  tunnel-ports     3000,8000",
        "  cpu              2",
        "  memory           4096 MiB",
        "changed by ada, 2026-01-02 03:04:05 UTC",
    ]
    assert as_json["settings"] == {
        "lifetimeSeconds": 7200,
        "finalBufferSeconds": 600,
        "inactivitySeconds": 5400,
        "tunnelPorts": [3000, 8000],
        "cpuCores": 2,
        "memoryMib": 4096,
    }
    assert as_json["repositories"] == []


def test_what_is_not_named_stays(real_outboard: Outboard):
    real_outboard("settings", "set", "--cpu", "2", "--memory", "4096")

    real_outboard("settings", "set", "--cpu", "4")
    (as_json,) = real_outboard("settings", "unset", "memory", "--json").json

    assert (as_json["settings"]["cpuCores"], as_json["settings"]["memoryMib"]) == (4, None)


def test_a_repository_shows_its_own_beside_what_is_in_effect(real_outboard: Outboard):
    real_outboard("settings", "set", "--session-timeout", "2h", "--tunnel-ports", "3000")

    ran = real_outboard("settings", "set", "--repository", URL, "--tunnel-ports", "none")
    everywhere = real_outboard("settings").out.splitlines()

    assert ran.out.splitlines()[:-1] == [
        f"sandboxes for {KEY}:",
        "                   own   in effect",
        "  session-timeout  -     2h",
        "  final-buffer     -     10m",
        "  inactivity       -     10m",
        "  tunnel-ports     none  none",
        "  cpu              -     -",
        "  memory           -     -",
    ]
    assert everywhere[-2:] == [
        "repositories with settings of their own:",
        f"  {KEY}  tunnel-ports none",
    ]


def test_a_repository_that_has_nothing_of_its_own_any_more_is_forgotten(
    real: RealServer, real_outboard: Outboard
):
    real_outboard("settings", "set", "--repository", URL, "--cpu", "2", "--memory", "4096")

    real_outboard("settings", "--repository", KEY, "unset", "cpu")
    (as_json,) = real_outboard("settings", "unset", "all", "--repository", KEY, "--json").json

    assert as_json["version"] is None
    assert as_json["inEffect"]["cpuCores"] is None
    assert real.world.memory.settings == {}


def test_unsetting_what_was_never_set_changes_nothing(real: RealServer, real_outboard: Outboard):
    assert real_outboard("settings", "unset", "all").status == 0

    assert real.world.memory.settings == {}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--session-timeout", "30s"),
            "--session-timeout: it has to be between 1 and 1440 minutes",
        ),
        (("--session-timeout", "2"), "'2' is no duration; write it like 2h, 10m or 1h30m"),
        (("--session-timeout", ""), "'' is no duration"),
        (("--session-timeout", "999999h"), "--session-timeout: it has to be between"),
        (("--final-buffer", "4m"), "--final-buffer: it has to be between 5 and 1440 minutes"),
        (("--inactivity", "10 m"), "is no duration"),
        (("--tunnel-ports", "3000,3000"), "--tunnel-ports: a port is named twice"),
        (("--tunnel-ports", "3000,,1"), "'' is no number from 1 on"),
        (("--cpu", "33"), "--cpu: it has to be between 1 and 32"),
        (("--memory", "4G"), "'4G' is no number from 1 on"),
        (("--session-timeout", "10m"), "settings.lifetimeSeconds: a final buffer of 10 minutes"),
        ((), "nothing to set: give one of --session-timeout, --final-buffer"),
    ],
    ids=str,
)
def test_what_cannot_be_chosen_is_said_in_a_sentence(
    real: RealServer, real_outboard: Outboard, words: tuple[str, ...], sentence: str
):
    ran = real_outboard("settings", "set", *words)

    assert ran.status == 2
    assert sentence in ran.err
    assert real.world.memory.settings == {}


def test_a_member_reads_and_does_not_choose(real_outboard: Outboard):
    real_outboard("user", "add", "bob")
    del real_outboard.environment["OUTBOARD_TOKEN"]

    read = real_outboard("--as", "bob", "settings")
    refused = real_outboard("--as", "bob", "settings", "set", "--cpu", "2")

    assert read.status == 0
    assert refused.status == 2
    assert "only the owner" in refused.err


def test_a_path_is_no_repository_of_an_outboard_elsewhere(real_outboard: Outboard):
    ran = real_outboard("settings", "--repository", ".")

    assert ran.status == 2
    assert "needs an https URL" in ran.err


def test_a_session_shows_what_it_was_opened_with(real_outboard: Outboard):
    real_outboard("settings", "set", "--session-timeout", "2h", "--cpu", "2")
    assert real_outboard("prompt", "--repo", URL, "add a flag").status == 0
    (session,) = real_outboard("sessions", "--json").json

    shown = real_outboard("show", session["id"])

    assert "  settings    session-timeout 2h, cpu 2" in shown.out.splitlines()
