"""What a session has changed: after a turn, when somebody asks, and when its sandbox is gone."""

from pathlib import Path

from tests.e2e.machine import Machine, repository
from tests.e2e.outside import Provider
from tests.e2e.talk import Api

AWAKE = 600
"""Seconds; for a test that is not about idle time."""


def test_what_a_turn_has_changed_is_shown_also_when_its_sandbox_is_gone(
    hasty: Machine, api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="one\n")
    talk = api.open(path, inactivitySeconds=AWAKE)

    talk.done("echo two > a.txt; echo new > b.txt")
    talk.wait(lambda: talk.events("changes_updated"))
    (told,) = talk.events("changes_updated")
    shown = hasty.outboard("changes", talk.id).stdout.splitlines()
    (refreshed,) = hasty.json("changes", talk.id, "--refresh", "--stat")
    provider.kill(provider.only(talk.id))
    talk.wait(lambda: talk.status() not in {"ready", "running"})

    assert (told["prompt"], told["files"], told["additions"], told["deletions"]) == (1, 2, 2, 1)
    assert shown[:7] == [
        "modified: a.txt (+1 -1)",
        "@@ -1 +1 @@",
        "-one",
        "+two",
        "added: b.txt (+1 -0)",
        "@@ -0,0 +1 @@",
        "+new",
    ]
    assert refreshed["revision"] == told["revision"]
    assert hasty.outboard("changes", talk.id).stdout.splitlines()[:7] == shown[:7]
    assert hasty.outboard("changes", talk.id, "--refresh").returncode == 2
