"""The commands about sessions, models and people."""

import stat

import pytest

from shared.protocol import events as on
from shared.protocol import server_events as news
from tests.fakes.api_server import ApiServer, Watched
from tests.shared.client.outboard import Outboard, interrupted, read_until

URL = "https://git.example.com/acme/tool.git"


def opened(outboard: Outboard, *words: str) -> None:
    assert outboard("prompt", "--repo", URL, *words, "add a flag").status == 0


def finished(server: ApiServer, session: str, prompt: int = 1) -> None:
    server.sessions.say(session, news.PromptFinished(prompt=prompt, status="completed", cost=0.5))


def test_sessions_are_listed_newest_first(server: ApiServer, outboard: Outboard):
    opened(outboard, "--title", "first")
    opened(outboard, "--title", "second")

    ran = outboard("sessions")
    as_json = outboard("sessions", "--json", "--limit", "1")

    assert ran.status == 0
    assert [line.split() for line in ran.out.splitlines()] == [
        ["id", "status", "sandbox", "changed", "cost", "title"],
        ["s2abcdef", "active", "pending", "now", "$0", "second"],
        ["s1abcdef", "active", "pending", "now", "$0", "first"],
    ]
    assert [session["id"] for session in as_json.json] == ["s2abcdef"]


def test_all_sessions_are_those_of_the_archive_too(server: ApiServer, outboard: Outboard):
    opened(outboard)
    opened(outboard)
    server.sessions.known["s1abcdef"].change(status="archived")

    assert len(outboard("sessions", "--json").json) == 1
    assert len(outboard("sessions", "--json", "--all").json) == 2
    assert len(outboard("sessions", "--json", "--status", "archived").json) == 1
    assert len(outboard("sessions", "--json", "--lifecycle", "archived").json) == 1
    assert len(outboard("sessions", "--json", "--lifecycle", "open", "--all").json) == 1
    assert outboard("--as", "ada", "sessions", "--json", "--mine").status == 0
    assert server.asked[-1].query["mine"] == "true"


def test_sessions_are_searched_for_words(server: ApiServer, outboard: Outboard):
    opened(outboard, "--title", "first")
    opened(outboard, "--title", "second")

    ran = outboard("sessions", "--json", "--query", "first")

    assert [session["title"] for session in ran.json] == ["first"]
    assert server.asked[-1].query["query"] == "first"


def test_a_status_that_there_is_not_is_refused(outboard: Outboard):
    ran = outboard("sessions", "--status", "lost")

    assert ran.status == 2
    assert "'lost' is none of created, active" in ran.err


def test_nothing_is_said_to_be_nothing(outboard: Outboard):
    assert outboard("sessions").out == "no sessions\n"
    assert outboard("sessions", "--json").out == ""


def test_a_session_is_shown_with_its_prompts(server: ApiServer, outboard: Outboard):
    opened(outboard, "--title", "a title")
    finished(server, "s1abcdef")

    ran = outboard("show", "s1")
    (as_json,) = outboard("show", "s1abcdef", "--json").json

    assert ran.status == 0
    assert "  title       a title" in ran.out.splitlines()
    assert ran.out.splitlines()[-1] == "  prompt 1 completed $0.5000: add a flag"
    assert as_json["id"] == "s1abcdef"
    assert as_json["history"][0]["text"] == "add a flag"
    assert as_json["artifacts"] == []


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("s", "the beginning of 2 sessions: s2abcdef, s1abcdef"),
        ("x", "no session 'x'"),
        ("../x", "is no session's id"),
    ],
)
def test_a_beginning_must_be_that_of_one_session(outboard: Outboard, given: str, sentence: str):
    opened(outboard)
    opened(outboard)

    ran = outboard("show", given)

    assert ran.status == 2
    assert sentence in ran.err


def test_a_session_is_changed_by_these_words(server: ApiServer, outboard: Outboard):
    opened(outboard)
    finished(server, "s1abcdef")

    said = [
        outboard("rename", "s1", "new title").out,
        outboard("archive", "s1").out,
        outboard("unarchive", "s1").out,
        outboard("save", "s1").out,
        outboard("resume", "s1").out,
        outboard("anew", "s1").out,
        outboard("cancel", "s1").out,
    ]

    assert said == [
        "session s1abcdef: is now called 'new title'\n",
        "session s1abcdef: archived\n",
        "session s1abcdef: taken back from the archive\n",
        "session s1abcdef: a copy of its files is being made\n",
        "session s1abcdef: its queue goes on\n",
        "session s1abcdef: the next sandbox begins with what was pushed\n",
        "session s1abcdef: cancelled\n",
    ]
    assert server.sessions.known["s1abcdef"].view.status == "cancelled"


def test_a_prompt_is_taken_back_or_stopped(server: ApiServer, outboard: Outboard):
    opened(outboard)
    opened(outboard)

    taken_back = outboard("unqueue", "s1abcdef", "1", "--json")
    stopped = outboard("stop", "s2abcdef")

    assert taken_back.json[0]["unfinished"] == 0
    assert (taken_back.status, stopped.status) == (0, 0)
    assert [known.prompts[0].status for known in server.sessions.known.values()] == [
        "cancelled",
        "stopped",
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["stop", "s1"], "nothing is running"),
        (["unqueue", "s1", "9"], "no prompt 9 is queued"),
        (["unqueue", "s1", "none"], "'none' is no number from 1 on"),
        (["rename", "s1", ""], "title: "),
        (["rename", "s1", "x" * 121], "title: "),
    ],
)
def test_a_change_that_cannot_be_is_refused(
    server: ApiServer, outboard: Outboard, words: list[str], sentence: str
):
    opened(outboard)
    finished(server, "s1abcdef")

    ran = outboard(*words)

    assert ran.status == 2
    assert sentence in ran.err


def test_models_are_listed_with_the_default(server: ApiServer, outboard: Outboard):
    server.sessions.demo = True

    ran = outboard("models")
    as_json = outboard("models", "--json").json

    assert ran.out.splitlines()[0].startswith("demo model")
    assert ran.out.splitlines()[1:] == ["*  acme/large  Large  low, high", "   acme/small  Small"]
    assert as_json[0] == {
        "id": "acme/large",
        "label": "Large",
        "efforts": ["low", "high"],
        "defaultEffort": "low",
        "default": True,
        "demo": True,
    }


def test_a_new_user_has_a_token_file_that_works(server: ApiServer, outboard: Outboard):
    added = outboard("user", "add", "bob")
    file = outboard.state / "users" / "bob.token"
    renewed = outboard("user", "token", "bob", "--json")

    assert added.status == 0
    assert "token-of-bob" not in added.out + added.err + renewed.out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == "new-token-of-bob\n"
    assert renewed.json[0]["file"] == str(file)
    assert outboard("sessions", "--as", "bob").status == 0
    assert [user["name"] for user in outboard("user", "list", "--json").json] == ["ada", "bob"]
    assert outboard("user", "list").out.splitlines()[1].split() == ["bob", "member", "2026-01-02"]


def test_elsewhere_the_token_is_shown_once(server: ApiServer, outboard: Outboard):
    outboard.environment |= {"OUTBOARD_URL": server.http, "OUTBOARD_TOKEN": "token-of-ada"}

    ran = outboard("user", "add", "bob")

    assert ran.out.splitlines()[-1] == "token-of-bob"
    assert not (outboard.state / "users" / "bob.token").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["user", "add", "Bob!"], "name: 'Bob!' has characters"),
        (["user", "add", "ada"], "there is a user 'ada' already"),
        (["user"], "required: VERB"),
        (["sessions", "--as", "nobody"], "no token of user 'nobody'"),
    ],
)
def test_people_that_cannot_be_are_refused(outboard: Outboard, words: list[str], sentence: str):
    ran = outboard(*words)

    assert ran.status == 2
    assert sentence in ran.err


def test_events_are_read_from_a_slot_on(server: ApiServer, outboard: Outboard):
    opened(outboard)
    for number in range(2, 5):
        server.sessions.say("s1abcdef", on.Warned(message=f"slot {number}"))

    ran = outboard("events", "s1", "--after", "2")
    as_json = outboard("events", "s1", "--json")

    assert ran.status == 0
    assert ran.out.splitlines() == ["warning: slot 3", "warning: slot 4"]
    assert ran.err == "outboard: slot 4 is the newest; --after 4 goes on from here\n"
    assert [entry["seq"] for entry in as_json.json] == [1, 2, 3, 4]
    assert as_json.json[3]["events"] == [{"type": "warning", "message": "slot 4", "scope": ""}]


def test_events_are_followed_until_ctrl_c(server: ApiServer, outboard: Outboard):
    slots = [on.Warned(message=f"slot {number}") for number in (2, 3)]
    server.sessions.turns.append([Watched(), *slots])
    opened(outboard)
    process = outboard.start("events", "s1", "--after", "1", "--follow")

    lines = read_until(process, "slot 3")
    ran = interrupted(process)

    assert lines == ["warning: slot 2", "warning: slot 3"]
    assert ran.status == 130
    assert "./outboard events s1abcdef --after 3 --follow" in ran.err
