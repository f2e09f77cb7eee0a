"""What people are shown of a session and its sandbox."""

from datetime import timedelta

from shared.app import views
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import BecomeReady, Clock, Connect, ReportPhase, Stop
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import PromptStatus, Push, UserId
from tests import build
from tests.shared.app.stories import (
    end,
    finish,
    put_away,
    running,
    saving,
    serving,
    session_of,
    waiting,
)
from tests.world import World

HOUR = timedelta(hours=1)


def test_before_anything_ran_there_is_no_sandbox():
    world = World()

    shown = views.of_session(world.app.sessions.load(world.open_session())).sandbox

    assert (shown.status, shown.attempt, shown.expires_at) == ("pending", None, None)
    assert (shown.tunnels, shown.saved_at) == ({}, None)


def test_while_it_boots_the_phase_and_its_repository_are_shown():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.app.sessions.handle(life.session_id, Connect(1, 0))
    phase = ReportPhase(attempt=1, phase="setup", repository="tool")
    world.app.sessions.handle(life.session_id, phase)

    booting = views.of_session(session_of(world, life)).sandbox
    world.app.sessions.handle(life.session_id, BecomeReady(1))
    ready = views.of_session(session_of(world, life)).sandbox

    assert (booting.status, booting.phase, booting.repository) == ("connecting", "setup", "tool")
    assert (ready.status, ready.phase, ready.repository) == ("ready", None, None)


def test_a_phase_is_shown_as_long_as_the_boot_goes_on_although_the_agent_reads():
    world = World()
    life = waiting(world)
    world.lives.launch(life)
    world.app.sessions.handle(life.session_id, ReportPhase(attempt=1, phase="start"))
    world.app.sessions.handle(life.session_id, BecomeReady(1, complete=False))

    shown = views.of_session(session_of(world, life)).sandbox

    assert (shown.status, shown.phase) == ("ready", "start")


def test_the_end_and_the_addresses_of_a_running_sandbox_are_shown():
    world = World()
    life = running(world, SandboxSettings(lifetime=HOUR, tunnel_ports=(3000,)))

    shown = views.of_session(session_of(world, life)).sandbox

    box = world.machine().info.provider_id
    assert shown.expires_at == build.NOW + HOUR
    assert shown.tunnels == {"3000": f"https://3000-{box}.sandboxes.example"}


def test_a_sandbox_that_was_put_away_has_neither():
    world = World()

    shown = views.of_session(world.app.sessions.load(put_away(world))).sandbox

    assert (shown.status, shown.attempt) == ("stopped", None)
    assert (shown.expires_at, shown.tunnels) == (None, {})


def test_when_the_files_were_copied_is_shown():
    world = World()
    life = saving(world)
    during = views.of_session(session_of(world, life)).sandbox
    world.pass_time(timedelta(seconds=20))
    world.lives.checkpoint(life)

    after = views.of_session(session_of(world, life)).sandbox

    assert (during.status, during.saved_at) == ("snapshotting", None)
    assert (after.status, after.saved_at) == ("ready", build.NOW + timedelta(seconds=20))


def test_a_session_says_that_its_queue_is_held():
    world = World()
    life = running(world, SandboxSettings(lifetime=HOUR))
    world.submit(life.session_id, request_id="p2")
    world.pass_time(timedelta(minutes=50))
    world.lives.question(life, Wait.SERVE, Clock.TIMEOUT)
    finish(world, life, PromptStatus.STOPPED)
    end(world, life)

    shown = views.of_session(session_of(world, life))

    assert (shown.held, shown.unfinished, shown.running) == (True, 1, None)


def test_a_session_says_when_the_next_boot_is_tried():
    world = World()
    life = serving(world)

    shown = views.of_session(session_of(world, life))

    assert (shown.held, shown.retry_at) == (False, None)


def test_what_was_pushed_stands_beside_its_repository():
    tool, site = build.repository("tool"), build.repository("site")
    session = build.session(target=(tool, site), pushes=(Push("site", "outboard/s1", "abc"),))

    shown = views.of_session(session)

    pushed = [(each.name, each.pushed_branch, each.pushed_commit) for each in shown.repositories]
    assert pushed == [("tool", None, None), ("site", "outboard/s1", "abc")]
    assert (shown.branch, shown.commit) == ("outboard/s1", "abc")


def test_what_is_shown_holds_no_key_and_no_name_of_the_providers():
    world = World()
    life = running(world)
    world.app.sessions.handle(life.session_id, Stop(UserId("ada")))
    attempt = session_of(world, life).attempt
    assert attempt is not None

    shown = views.of_session(session_of(world, life)).model_dump_json()

    for secret in (attempt.token_hash, attempt.cursor_key, attempt.provider_id):
        assert secret is not None
        assert secret not in shown
