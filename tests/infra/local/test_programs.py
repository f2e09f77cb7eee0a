import json
from pathlib import Path

import pytest

from infra.local import programs
from infra.local.models import VARIABLES
from infra.local.place import Place

HERE = Place(Path("/state"), 5000)


def test_each_program_is_told_its_port_and_where_its_state_is():
    started = [
        programs.aws_host(HERE, {}),
        programs.sandbox_host(HERE, {}, Path("/template")),
        programs.repository_host(HERE, {}),
        programs.demo_model(HERE, {}),
    ]

    for program in started:
        assert program.command[program.command.index("--port") + 1] == str(program.port)
        assert program.log.is_relative_to("/state/logs")
    assert sorted(program.port for program in started) == [5000, 5001, 5002, 5003]


def test_no_program_sees_a_key_of_a_model():
    given = dict.fromkeys((*VARIABLES, "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"), "secret")

    assert "secret" not in programs.visible(given).values()


def test_a_program_sees_how_this_machine_is_set_up():
    given = {"PATH": "/usr/bin", "SSL_CERT_FILE": "/ca", "OUTBOARD_SOCKET_IDLE_SECONDS": "3"}

    assert given.items() <= programs.visible(given).items()


@pytest.mark.parametrize("name", ["NO_PROXY", "no_proxy"])
def test_this_machine_is_never_asked_through_a_proxy(name: str):
    seen = programs.visible({name: "intranet", "HTTP_PROXY": "http://proxy"})

    assert seen["NO_PROXY"] == seen["no_proxy"] == "intranet,127.0.0.1,localhost"
    assert seen["HTTP_PROXY"] == "http://proxy"


def test_the_isolation_is_what_the_sandbox_host_says(tmp_path: Path):
    here = Place(tmp_path, 5000)
    here.make()
    assert programs.isolation(here) == "of unknown isolation"

    (here.logs / "sandbox_host.log").write_text(json.dumps({"isolation": "plain"}) + "\nmore\n")

    assert programs.isolation(here) == "plain"
