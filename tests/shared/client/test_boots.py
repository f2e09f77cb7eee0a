"""`outboard boots`, as a person and as a program read it."""

from datetime import timedelta

from shared.client.boots import lines
from shared.domain.session.commands import GiveUp, Retire
from shared.domain.session.facts import BootPhase
from shared.domain.session.failures import ADVICE, Failure
from shared.domain.session.state import SessionId
from shared.protocol.boots import BootPhaseView, BootView
from tests import build
from tests.build import NOW
from tests.shared.adapters.dynamodb.committing import stating
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

URL = build.repository().url
SECOND = timedelta(seconds=1)
SYNC = BootPhaseView(
    phase="sync",
    status="completed",
    repository=None,
    elapsed_ms=900,
    warning=None,
    error=None,
    output_tail=None,
)
BOOT = BootView(
    attempt=1,
    boot="fresh",
    status="ready",
    phase="harness",
    started_at=NOW,
    launched_at=NOW + SECOND,
    connected_at=NOW + 2 * SECOND,
    ready_at=NOW + 3 * SECOND,
    ended_at=None,
    retired_at=None,
    ending=None,
    error=None,
    phases=[SYNC],
)


def said(*boots: BootView) -> list[str]:
    return [line.text for line in lines(boots)]


def test_a_boot_that_went_well_is_three_lines():
    assert said(BOOT) == [
        "boot 1 (fresh), 2026-01-02 03:04:05 UTC: ready",
        "  launched after 1.0 s, connected after 2.0 s, ready after 3.0 s",
        "  boot: sync done in 0.9 s",
    ]


def test_a_boot_that_has_barely_begun_says_where_it_is():
    began = BOOT.model_copy(
        update={
            "phase": "starting",
            "launched_at": None,
            "connected_at": None,
            "ready_at": None,
            "phases": [],
        }
    )

    assert said(began) == ["boot 1 (fresh), 2026-01-02 03:04:05 UTC: in phase starting"]


def test_what_a_sandbox_wrote_does_not_drive_the_terminal():
    bad = SYNC.model_copy(
        update={"status": "failed", "error": "\x1b[2Jgone", "output_tail": "a\x1b]0;x\x07b\nc"}
    )

    assert said(BOOT.model_copy(update={"phases": [bad], "error": "\x1b[1mbold"}))[2:] == [
        "  boot: sync failed after 0.9 s: gone",
        "    | ab",
        "    | c",
        "  bold",
    ]


def test_the_script_that_failed_is_told_with_the_end_of_its_output(
    real: RealServer, real_outboard: Outboard
):
    assert real_outboard("prompt", "--repo", URL, "add a flag").status == 0
    (session,) = real_outboard("sessions", "--json").json
    session_id = SessionId(session["id"])
    failed = BootPhase(
        phase="start", status="failed", repository="tool", error="exit 3", tail="no such file"
    )
    before = real.app.sessions.load(session_id)
    real.world.ports.store.commit(stating(before, failed, frame=None))
    real.app.sessions.handle(session_id, GiveUp(1, "start failed", Failure.SCRIPT))
    real.app.sessions.handle(session_id, Retire(1, None))

    ran = real_outboard("boots", session_id[:6])
    (as_json,) = real_outboard("boots", session_id, "--json").json

    assert ran.status == 0
    assert ran.out.splitlines()[0].endswith(": ended, failed")
    assert ran.out.splitlines()[2:] == [
        "  boot: start tool failed after 0.0 s: exit 3",
        "    | no such file",
        f"  the boot failed in phase starting: start failed: {ADVICE[Failure.SCRIPT]}",
    ]
    assert as_json["phases"][0]["outputTail"] == "no such file"


def test_a_session_without_a_sandbox_has_no_boots(real: RealServer, real_outboard: Outboard):
    session = real.world.open_session()

    assert real_outboard("boots", session).out == "no boots: the session never had a sandbox\n"
    assert real_outboard("boots", session, "--json").out == ""
    assert real_outboard("boots", session, "--limit", "21").status == 2
