"""Anybody may name a branch of a fork as they like: it is no session's."""

from datetime import timedelta
from pathlib import Path

from shared.app.ports.forges import NewPullRequest
from tests.forge.hosting import hosting, needs_openapi
from tests.shared.adapters.forges.worlds import GitHubWorld

pytestmark = needs_openapi


def test_what_changed_in_a_fork_is_not_told(tmp_path: Path):
    with hosting(tmp_path) as hosted:
        github = GitHubWorld.on(hosted)
        url = github.has("team/tool", ["main", "work", "outboard/s1"])
        for head in ("work", "outboard/s1"):
            new = NewPullRequest("Add a test", "", head, "main")
            github.forge.create_pull_request(url, new, token=None)
        hosted.github.repositories["team/tool"].pulls[-1]["of_fork"] = True

        found = github.forge.pull_requests(url, hosted.github.clock() - timedelta(minutes=1))

    assert [pull.head for pull in found] == ["work"]
