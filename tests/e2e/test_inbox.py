"""The inbox of the running stack: what has finished waits, until it is read."""

from pathlib import Path
from typing import Any

from tests.e2e.conftest import MODEL
from tests.e2e.machine import Machine, repository, until
from tests.e2e.talk import Api
from tests.model import script


def place(api: Api, session: str) -> str:
    inbox: dict[str, Any] = api("GET", "/inbox")
    lists = {name: rows for name, rows in inbox.items() if isinstance(rows, list)}
    [where] = [n for n, rows in lists.items() if session in {r["session"]["id"] for r in rows}]
    return where


def test_a_finished_run_waits_in_the_inbox_with_its_tokens_until_it_is_read(
    machine: Machine, tmp_path: Path
):
    path = repository(tmp_path / "inboxes", a__txt="a\n")
    done = machine.json(
        *("prompt", "--repo", str(path), script({"text": "Done."}), "--wait", "--model", MODEL)
    )[-1]
    session = done["session"]
    with Api(machine) as api:
        waits = place(api, session)
        row = api("PUT", f"/sessions/{session}/read", {"prompt": 1})
        read = place(api, session)
        until(lambda: api("GET", f"/sessions/{session}")["tokens"]["output"] > 0, 10)
        people = api("GET", f"/sessions/{session}/participants")["participants"]
        known = api("GET", "/repositories")["repositories"]

    assert (waits, row["unread"], read) == ("needsAttention", False, "recent")
    assert row["session"]["finished"] == 1
    assert [(person["prompts"], person["lastSeenAt"] is None) for person in people] == [(1, False)]
    assert known[0]["label"] == str(path)
    found = machine.json("sessions", "--query", "inboxes", "--lifecycle", "open")
    assert [each["id"] for each in found] == [session]
