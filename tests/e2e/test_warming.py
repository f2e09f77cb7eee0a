"""A sandbox is ready before anything was asked, and let go when something else is wanted."""

from pathlib import Path

from tests.e2e.machine import git, repository
from tests.e2e.outside import Provider
from tests.e2e.talk import Api


def test_a_draft_gets_a_warm_sandbox_and_another_choice_gets_another(
    api: Api, provider: Provider, tmp_path: Path
):
    first = repository(tmp_path / "first", a__txt="first\n")
    other = repository(tmp_path / "other", a__txt="other\n")
    talk = api.open(first, warm=True, inactivitySeconds=600)
    api.choose(other, inactivitySeconds=600)

    talk.until_status("ready")
    warmed = provider.only(talk.id)
    api("PUT", f"/sessions/{talk.id}/choice", {"repositories": [{"url": api.served(other)}]})
    talk.wait(lambda: (talk.view()["sandbox"]["attempt"], talk.status()) == (2, "ready"))
    view = talk.view()
    talk.done("cp a.txt found.txt")

    assert (view["status"], view["prompts"], view["title"]) == ("created", 0, "")
    assert talk.statuses(1)[:3] == ["warming", "connecting", "ready"]
    assert git(other, "show", f"{talk.branch}:found.txt") == "other\n"
    assert [boot["ending"] for boot in talk.boots()] == [None, "retargeted"]
    assert provider.only(talk.id) != warmed
