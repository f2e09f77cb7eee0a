from pathlib import Path

from sandbox_bridge.environment import for_session
from sandbox_bridge.paths import Paths, of


def test_it_is_what_was_given_and_a_few_names_of_the_machines():
    own = {
        "PATH": "/root/opt/outboard/bin:/usr/bin",
        "LANG": "C.UTF-8",
        "PYTHONPATH": "/bridge",
        "AWS_SECRET_ACCESS_KEY": "x",
        "HOME": "/home/operator",
    }

    made = for_session(own, {"API_KEY": "k"}, Paths(Path("/root")))

    assert made == {
        "API_KEY": "k",
        "GIT_CEILING_DIRECTORIES": "/root",
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": "/root/home/user",
        "LANG": "C.UTF-8",
        "OUTBOARD_RUNTIME": "/root/dev/shm/outboard",
        "PATH": "/root/opt/outboard/first:/usr/bin:/root/opt/outboard/bin",
    }


def test_what_was_given_may_change_the_path_but_not_where_home_is():
    made = for_session({}, {"PATH": "/mine", "HOME": "/else"}, Paths())

    assert (made["PATH"], made["HOME"]) == ("/mine", "/home/user")


def test_a_sandbox_without_a_root_of_its_own_begins_at_slash():
    assert of({}).identity == Path("/dev/shm/outboard/identity.json")
    assert of({"OUTBOARD_ROOT": "/x"}).workspace == Path("/x/workspace")
