"""What takes too long: a boot, a lifetime; and what only seems to: a script, however slow.

Their clocks run side by side: each of the sessions is begun before the first is looked at, and the
one that has to be watched from its beginning comes first.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.machine import git, repository
from tests.e2e.outside import Provider
from tests.e2e.talk import Api, Talk, run

ANSWER = run("echo done > done.txt")


@dataclass(frozen=True)
class Begun:
    slow: Talk
    """Its setup.sh outlives the connect watchdog."""
    hung: Talk
    """Its setup.sh has no end."""
    short: Talk
    """Its sandbox's lifetime is shorter than the first of its two turns."""
    hung_path: Path
    short_path: Path


@pytest.fixture(scope="module")
def begun(api: Api, tmp_path_factory: pytest.TempPathFactory) -> Begun:
    home = tmp_path_factory.mktemp("deadlines")
    paths = {name: repository(home / name, a__txt="a\n") for name in ("slow", "hung", "short")}
    with_script(paths["slow"], "setup", "sleep 17\necho slow > ~/slow.txt\n")
    with_script(paths["hung"], "setup", "echo preparing; sleep 600\n")
    talks = {
        "slow": api.open(paths["slow"], inactivitySeconds=600),
        "hung": api.open(paths["hung"]),
        "short": api.open(paths["short"], lifetimeSeconds=60, inactivitySeconds=600),
    }
    talks["slow"].ask(run("cp ~/slow.txt done.txt"))
    talks["hung"].ask(ANSWER)
    talks["short"].ask(run("echo half > half.txt; echo begun; sleep 600"))
    talks["short"].ask(run("cat half.txt"))
    return Begun(**talks, hung_path=paths["hung"], short_path=paths["short"])


def with_script(path: Path, name: str, content: str) -> None:
    (path / ".openinspect").mkdir(exist_ok=True)
    (path / ".openinspect" / f"{name}.sh").write_text(content)
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--message", name)


def test_a_setup_without_end_costs_one_sandbox_and_the_prompt_that_waited_for_it(
    begun: Begun, provider: Provider
):
    talk, seen = begun.hung, set[str]()

    def has_ended() -> bool:
        seen.update(each["sandboxID"] for each in provider.of(talk.id))
        return bool(talk.get("/prompts/1")["finishedAt"])

    talk.wait(has_ended)
    talk.wait(lambda: talk.view()["sandbox"]["attempt"] is None)
    record = talk.get("/prompts/1")
    left = provider.of(talk.id)

    assert record["status"] == "failed"
    assert "in phase setup for hung" in record["error"]
    assert "SANDBOX_BOOT_TIMEOUT_MS" in record["error"]
    assert (len(seen), len(talk.boots()), left) == (1, 1, [])

    with_script(begun.hung_path, "setup", "true\n")
    again = talk.until_ended(talk.ask(ANSWER))
    assert (again["status"], again["error"]) == ("completed", None)
    assert [boot["boot"] for boot in talk.boots()] == ["fresh", "fresh"]
    assert not seen & {provider.only(talk.id)}


def test_a_setup_that_outlives_the_connect_watchdog_boots_in_one_sandbox(
    begun: Begun, provider: Provider
):
    talk = begun.slow

    record = talk.until_ended(1)

    (setup,) = [p for p in talk.boots()[0]["phases"] if p["phase"] == "setup"]
    assert (record["status"], record["error"]) == ("completed", None)
    assert (setup["status"], setup["warning"]) == ("completed", None)
    assert setup["elapsedMs"] > 15_000
    assert len(talk.boots()) == len(provider.of(talk.id)) == 1


def test_the_end_of_a_lifetime_cuts_the_turn_off_and_holds_the_queue_until_it_is_resumed(
    begun: Begun, provider: Provider
):
    talk = begun.short

    first = talk.until_ended(1)
    talk.wait(lambda: talk.view()["sandbox"]["attempt"] is None)
    waiting, view = talk.get("/prompts/2"), talk.view()
    sandbox = provider.only(talk.id)

    assert (first["status"], first["error"]) == (
        "failed",
        "the sandbox reached the end of its lifetime and the turn was cut off; its files are kept",
    )
    assert (waiting["status"], view["held"], view["unfinished"]) == ("queued", True, 1)
    assert [event["prompt"] for event in talk.events("snapshot_saved")] == [1]
    assert provider.state(sandbox) == "paused"
    assert len(talk.boots()) == 1

    talk.post("resume")
    second = talk.until_ended(2)
    assert (second["status"], second["error"]) == ("completed", None)
    assert git(begun.short_path, "show", f"{talk.branch}:half.txt") == "half\n"
    assert talk.ends() == [(1, "failed"), (2, "completed")]
    assert [boot["boot"] for boot in talk.boots()] == ["resume", "fresh"]
