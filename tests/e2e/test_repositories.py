"""Sessions on several repositories and on none, from the command line to the branches."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.machine import Machine, git, repository
from tests.e2e.talk import run

BOTH = run("echo from one > api/found.txt && echo from two > web/found.txt && pwd")


def asked(machine: Machine, *words: str) -> dict[str, Any]:
    return machine.json("prompt", *words, "--wait")[-1]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    api = repository(tmp_path / "api", api__py="print('api')\n")
    web = repository(tmp_path / "web", web__py="print('web')\n")
    return api, web


def test_one_prompt_changes_two_repositories_and_two_branches_are_pushed(
    machine: Machine, pair: tuple[Path, Path]
):
    api, web = pair

    result = asked(machine, "--repo", str(api), "--repo", str(web), BOTH)

    branch = result["branch"]
    tips = {path.name: git(path, "rev-parse", branch).strip() for path in pair}
    assert result["status"] == "completed"
    assert result["pushed"] == [
        {"repository": name, "branch": branch, "commit": tips[name]} for name in ("api", "web")
    ]
    assert git(api, "show", f"{branch}:found.txt") == "from one\n"
    assert git(web, "show", f"{branch}:found.txt") == "from two\n"
    shown = machine.show(result["session"])
    pushed = {each["name"]: each["pushedCommit"] for each in shown["repositories"]}
    made = {each["id"]: each["metadata"] for each in shown["artifacts"]}
    assert pushed == tips
    assert {name: told["commit"] for name, told in made.items()} == {
        "branch-api": tips["api"],
        "branch-web": tips["web"],
    }


def test_a_second_prompt_moves_the_branch_of_the_repository_that_it_changes(
    machine: Machine, pair: tuple[Path, Path]
):
    api, web = pair
    first = asked(machine, "--repo", str(api), "--repo", str(web), BOTH)
    branch, before = first["branch"], git(api, "rev-parse", first["branch"])

    more = run("echo more >> web/found.txt")
    second = asked(machine, "--session", first["session"], more)

    assert [each["repository"] for each in second["pushed"]] == ["web"]
    assert git(web, "show", f"{branch}:found.txt") == "from two\nmore\n"
    assert git(api, "rev-parse", branch) == before


def test_a_session_without_a_repository_completes_and_keeps_its_files(machine: Machine):
    first = asked(machine, "--no-repo", run("echo kept > notes.txt && pwd"))

    second = asked(machine, "--session", first["session"], run("cat notes.txt"))

    assert [(each["status"], each["branch"], each["pushed"]) for each in (first, second)] == [
        ("completed", None, []),
        ("completed", None, []),
    ]
    entries = machine.json("events", first["session"], "--after", "0")
    said = [event for entry in entries for event in entry["events"] if event["type"] == "tool"]
    assert any("kept" in each.get("output", "") for each in said)
    assert machine.show(first["session"])["repositories"] == []
