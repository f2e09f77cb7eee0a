import subprocess
from collections.abc import Mapping
from pathlib import Path

from sandbox_bridge.credentials.git_config import with_broker

RUNTIME = Path("/dev/shm/out board")


def as_git_has_it(environment: Mapping[str, str]) -> list[str]:
    listed = subprocess.run(
        ["git", "config", "--list", "--show-scope"],
        env={"PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", **environment},
        cwd="/",
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.partition("\t")[2] for line in listed.stdout.splitlines()]


def test_only_the_hosts_of_the_session_are_led_to_the_broker():
    urls = [
        "https://Git.example.com/acme/tool.git",
        "https://git.example.com:443/acme/other.git",
        "http://127.0.0.1:8080/a/b.git",
        "http://plain.example.com/acme/tool.git",
        "file:///srv/tool.git",
        "nonsense",
    ]

    had = as_git_has_it(with_broker({}, urls, RUNTIME))

    names = [line.partition("=")[0] for line in had]
    assert names == [
        "credential.https://git.example.com.usehttppath",
        "credential.https://git.example.com.helper",
        "credential.https://git.example.com.helper",
        "credential.http://127.0.0.1:8080.usehttppath",
        "credential.http://127.0.0.1:8080.helper",
        "credential.http://127.0.0.1:8080.helper",
    ]
    assert had[1].endswith("helper=")
    assert had[2].endswith("client.py git '/dev/shm/out board'")


def test_settings_that_were_given_stay_and_come_first():
    given = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_VALUE_0": "Ada",
    }

    had = as_git_has_it(with_broker(given, ["https://git.example.com/acme/tool.git"], RUNTIME))

    assert had[0] == "user.name=Ada"
    assert len(had) == 4


def test_a_count_that_is_none_counts_nothing():
    made = with_broker({"GIT_CONFIG_COUNT": "many"}, ["https://git.example.com/a/b"], RUNTIME)

    assert len(as_git_has_it(made)) == 3
