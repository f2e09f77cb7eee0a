"""A named set of repositories, from the command line to a session that outlives it."""

from pathlib import Path

from tests.e2e.machine import Machine, git, repository
from tests.e2e.talk import run


def test_a_session_outlives_the_environment_it_was_opened_from(hasty: Machine, tmp_path: Path):
    path = repository(tmp_path / "shop", a__txt="first\n")
    (made,) = hasty.json("env", "create", "The Shop", "--repo", str(path))
    first = hasty.json("prompt", "--env", "the shop", run("cp a.txt b.txt"), "--wait")[-1]
    before = hasty.show(first["session"])

    hasty.json("env", "delete", "The Shop")
    after = hasty.show(first["session"])
    told = hasty.outboard("show", first["session"]).stdout
    again = run("cp a.txt c.txt")
    second = hasty.json("prompt", "--session", first["session"], again, "--wait")[-1]

    provenance = {"id": made["id"], "name": "The Shop"}
    pushed = {"pushedBranch": first["branch"], "pushedCommit": first["commit"]}
    kept = [each | pushed for each in made["repositories"]]
    assert before["repositories"] == after["repositories"] == kept
    assert before["environment"] == provenance | {"deleted": False}
    assert after["environment"] == provenance | {"deleted": True}
    assert "Environment deleted" in told
    assert (first["status"], second["status"]) == ("completed", "completed")
    assert git(path, "show", f"{second['branch']}:c.txt") == "first\n"
