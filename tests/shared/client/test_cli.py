"""The command line as a process: its start, its exit status, its streams."""

import subprocess
import sys

from shared.protocol import events as on
from shared.protocol import server_events as news
from tests.fakes.api_server import ApiServer, Watched
from tests.shared.client.outboard import DEADLINE, Outboard, read_until

URL = "https://git.example.com/acme/tool.git"


def test_help_loads_nothing_that_is_slow(outboard: Outboard):
    loaded = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "shared.client", "--help"],
        capture_output=True,
        env=outboard.environment,
        timeout=DEADLINE,
        check=True,
    )

    assert b"usage: outboard" in loaded.stdout
    assert not any(name in loaded.stderr for name in (b"pydantic", b"httpx", b"websockets"))


def test_without_outboard_running_it_says_how_to_start_it(outboard: Outboard):
    (outboard.state / "endpoint.json").unlink()

    ran = outboard.process("sessions", "--json")

    assert ran.status == 3
    assert ran.err == "outboard: not running here; start it with `make run`\n"
    assert ran.json == [
        {"error": "not running here; start it with `make run`", "code": "not_running"}
    ]


def test_an_address_where_nobody_listens_is_exit_status_3(outboard: Outboard, free_port: int):
    endpoint = f'{{"http": "http://127.0.0.1:{free_port}", "user": "ada"}}'
    (outboard.state / "endpoint.json").write_text(endpoint)

    ran = outboard("sessions")

    assert ran.status == 3
    assert "make run" in ran.err


def test_an_argument_that_is_no_text_is_refused(outboard: Outboard):
    ran = outboard("prompt", "--repo", URL, "caf\udce9")

    assert ran.status == 2
    assert ran.err == "outboard: an argument is not UTF-8\n"


def test_a_proxy_in_the_environment_is_not_for_this_machine(
    server: ApiServer, outboard: Outboard, free_port: int
):
    nowhere = f"http://127.0.0.1:{free_port}"
    outboard.environment |= {"HTTP_PROXY": nowhere, "http_proxy": nowhere, "ALL_PROXY": nowhere}
    over = news.PromptFinished(prompt=1, status="completed")
    server.sessions.turns.append([Watched(), over])

    ran = outboard.process("prompt", "--repo", URL, "--wait", "x")

    assert ran.status == 0


def test_a_reader_that_has_gone_ends_it_quietly(server: ApiServer, outboard: Outboard):
    many = [on.Warned(message=f"slot {number}") for number in range(2, 400)]
    server.sessions.turns.append([Watched(), *many])
    process = outboard.start("prompt", "--repo", URL, "--wait", "x")

    read_until(process, "slot 2")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    process.stderr.close()

    assert process.wait(DEADLINE) == 141
    assert err == b""


def test_what_a_sandbox_wrote_reaches_no_terminal(server: ApiServer, outboard: Outboard):
    evil = "\x1b]0;owned\x07\x1b[2Jevil\x9b31m\x7f"
    over = news.PromptFinished(prompt=1, status="failed", error=evil, branch=evil, commit=evil)
    server.sessions.turns = [[on.Warned(message=evil), over]] * 2

    told = outboard("prompt", "--repo", URL, "--wait", "x")
    as_json = outboard("prompt", "--repo", URL, "--wait", "--json", "x")

    assert told.out.replace("\n", "").isprintable()
    assert as_json.out.replace("\n", "").isprintable()
    assert as_json.json[-1]["error"] == evil
