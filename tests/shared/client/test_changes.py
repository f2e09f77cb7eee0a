"""`outboard changes`, as a person and as a program read it."""

from datetime import UTC, datetime

from shared.app import tokens
from shared.domain.session.commands import Launching
from shared.domain.session.state import SessionId
from shared.protocol.change_bundles import BundledFile, BundledRepository, NewChanges
from tests.shared.client.outboard import Outboard
from tests.shared.client.real_server import RealServer

URL = "https://github.com/acme/tool"
PATCH = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+t\x1b[2Jwo\n"
NEW = NewChanges(
    compared_at=datetime(2026, 1, 1, tzinfo=UTC),
    prompt=1,
    repositories=[
        BundledRepository(
            name="tool",
            files=[
                BundledFile(
                    path="a.txt",
                    status="modified",
                    additions=1,
                    deletions=1,
                    render="renderable",
                    patch=PATCH,
                ),
                BundledFile(path="new\n.png", status="added", render="binary"),
            ],
            additions=1,
            deletions=1,
            left_out=2,
        )
    ],
)
TOTAL = "4 files changed, +1 -1 · after prompt 1 · 2026-01-01 00:00:00 UTC"


def handed_in(real: RealServer, outboard: Outboard) -> str:
    assert outboard("prompt", "--repo", URL, "add a flag").status == 0
    (session,) = outboard("sessions", "--json").json
    session_id = SessionId(session["id"])
    token = tokens.new_sandbox_token(session_id, 1)
    real.app.sessions.handle(session_id, Launching(1, tokens.digest(token), "key"))
    claim = tokens.sandbox_claim(token)
    assert claim is not None
    real.app.changes.hand_in(claim, NEW)
    return session_id


def test_the_newest_session_is_shown_line_by_line(real: RealServer, real_outboard: Outboard):
    handed_in(real, real_outboard)

    assert real_outboard("changes").out.splitlines() == [
        "modified: a.txt (+1 -1)",
        "@@ -1 +1 @@",
        "-one",
        "+two",
        "added: new .png (binary)",
        "and 2 more files",
        TOTAL,
    ]


def test_only_the_files_and_only_one_repository(real: RealServer, real_outboard: Outboard):
    session = handed_in(real, real_outboard)

    stat = real_outboard("changes", session[:6], "--stat", "--repo", "tool")
    assert stat.out.splitlines() == [
        "modified: a.txt (+1 -1)",
        "added: new .png (binary)",
        "and 2 more files",
        TOTAL,
    ]
    assert real_outboard("changes", session, "--repo", "other").status == 2


def test_a_program_gets_all_of_it(real: RealServer, real_outboard: Outboard):
    session = handed_in(real, real_outboard)

    (whole,) = real_outboard("changes", session, "--json").json
    (stat,) = real_outboard("changes", session, "--json", "--stat").json

    assert [file["patch"] for file in whole["repositories"][0]["files"]] == [PATCH, ""]
    assert "patch" not in stat["repositories"][0]["files"][0]


def test_without_a_sandbox_there_is_nothing_and_nobody_to_ask(
    real: RealServer, real_outboard: Outboard
):
    session = real.world.open_session()

    assert real_outboard("changes", session).out == "nothing has been compared yet\n"
    refused = real_outboard("changes", session, "--refresh")
    assert refused.status == 2
    assert "no sandbox is connected" in refused.err
