import os
from pathlib import Path

import pytest

from infra.local import place
from infra.local.place import Place
from infra.local.refusal import Refusal


def test_it_is_beside_the_makefile_on_port_4700():
    here = place.from_environment({})

    assert here.port == 4700
    assert (here.state.parent / "Makefile").is_file()


def test_the_environment_moves_it(tmp_path: Path):
    environment = {"OUTBOARD_PORT": "5000", "OUTBOARD_STATE": str(tmp_path)}

    assert place.from_environment(environment) == Place(tmp_path, 5000)


@pytest.mark.parametrize("port", ["http", "0", "80", "-1", "65533", "70000", "4700.0"])
def test_a_port_that_leaves_no_room_is_refused(port: str):
    with pytest.raises(Refusal, match="OUTBOARD_PORT is"):
        place.from_environment({"OUTBOARD_PORT": port})


def test_each_program_has_a_port_of_its_own():
    here = Place(Path("/state"), 5000)

    assert sorted(here.ports.values()) == [5000, 5001, 5002, 5003]
    assert here.aws_url == "http://127.0.0.1:5000"
    assert here.sandboxes_url.endswith(f":{here.ports['the sandbox host']}")
    assert here.repositories_url.endswith(f":{here.ports['the repository host']}")
    assert here.model_url.endswith(f":{here.ports['the demo model']}")


def test_only_its_owner_may_look_into_the_state(tmp_path: Path):
    (tmp_path / "state").mkdir(mode=0o755)

    Place(tmp_path / "state", 5000).make()

    for path in (tmp_path / "state", *(tmp_path / "state").iterdir()):
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make another's files")
def test_the_state_of_somebody_else_is_left_alone(tmp_path: Path):
    os.chown(tmp_path, 61_234, 61_234)

    with pytest.raises(Refusal, match="belongs to user id 61234"):
        Place(tmp_path, 5000).make()
