"""A sandbox that does not boot any more: twice, then its copy, then a person's word."""

from pathlib import Path

from tests.e2e.machine import git, repository
from tests.e2e.outside import Provider
from tests.e2e.talk import Api, Talk, run

START = "test ! -e ~/full || { echo no space left; exit 1; }\n"


def fails(talk: Talk) -> str:
    """The next prompt, whose sandbox does not boot."""
    record = talk.until_ended(talk.ask(run("true")))
    talk.wait(lambda: talk.view()["sandbox"]["attempt"] is None)
    assert record["status"] == "failed"
    return record["error"]


def test_what_keeps_a_sandbox_and_its_copy_from_booting_can_be_left(
    api: Api, provider: Provider, tmp_path: Path
):
    path = repository(tmp_path / "tool", a__txt="a\n")
    (path / ".openinspect").mkdir()
    (path / ".openinspect" / "start.sh").write_text(START)
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", "start")
    talk = api.open(path)
    talk.done("echo pushed > pushed.txt; touch ~/full")
    sandbox = provider.only(talk.id)
    talk.wait(lambda: provider.state(sandbox) == "paused")
    talk.wait(lambda: talk.view()["sandbox"]["attempt"] is None)

    errors = [fails(talk) for _ in range(3)]
    left = [provider.only(talk.id), provider.state(sandbox)]
    api.machine.outboard("anew", talk.id)
    talk.done("ls > there.txt")

    anew = f"`outboard anew {talk.id}` begins with what was pushed"
    assert "in phase start for tool" in errors[0]
    assert f"if it fails once more the copy of its files is tried; {anew}" in errors[0]
    assert "the next sandbox is made from the last copy of its files" in errors[1]
    assert errors[2].endswith(anew)
    assert [boot["boot"] for boot in talk.boots()] == [
        "fresh",
        "restore",
        "resume",
        "resume",
        "fresh",
    ]
    assert left == [sandbox, "paused"]
    assert git(path, "show", f"{talk.branch}:there.txt").split() == [
        "a.txt",
        "pushed.txt",
        "there.txt",
    ]
    assert any("has failed to boot 2 times in a row" in words for words in talk.warnings())
