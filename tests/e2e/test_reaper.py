"""The reaper, called when a test wants it: what it may not touch, and what it puts away."""

from pathlib import Path

from tests.e2e.machine import Machine, repository
from tests.e2e.outside import Provider, invoke
from tests.e2e.talk import Api


def test_what_may_still_be_named_is_kept_and_what_runs_for_nobody_is_paused(
    hasty: Machine, api: Api, provider: Provider, tmp_path: Path
):
    talk = api.open(repository(tmp_path / "tool", a__txt="a\n"), inactivitySeconds=600)
    talk.done("true")
    sandbox = provider.only(talk.id)
    orphan = provider.create(provider.metadata(sandbox) | {"outboard-session": "nobody"})

    serving = invoke(hasty, "reaper")
    kept = (provider.state(sandbox), provider.state(orphan))
    talk.post("archive")
    talk.wait(lambda: talk.view()["sandbox"]["attempt"] is None)
    provider.resume(sandbox)
    put_away = invoke(hasty, "reaper")

    assert not serving.keys() & {"paused", "killed", "failed"}
    assert kept == ("running", "running")
    assert not put_away.keys() & {"killed", "failed"}
    assert (provider.state(sandbox), provider.state(orphan)) == ("paused", "running")
    provider.kill(orphan)
