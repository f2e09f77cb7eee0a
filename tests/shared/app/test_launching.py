"""What the sandbox of an attempt begins with, and what it is told."""

import json
from datetime import timedelta

from shared.app import tokens
from shared.app.launching import SUPERVISOR
from shared.app.lives import Life
from shared.app.ports.sandboxes import SandboxSize
from shared.domain.sandbox_settings import SandboxSettings
from shared.domain.session.commands import Cancel
from shared.domain.session.sandbox import Boot
from shared.domain.session.state import UserId
from tests import build
from tests.shared.app.stories import (
    attempt_of,
    calls,
    end,
    fall_asleep,
    finish,
    identity_in,
    next_prompt,
    put_away,
    running,
    session_of,
    waiting,
)
from tests.world import World

WORK = "/workspace/tool/1"


def test_a_launch_hands_over_an_identity_that_the_session_knows_only_as_a_hash():
    world = World()
    life = waiting(world)

    answer = world.lives.launch(life)

    told = identity_in(world.machine())
    attempt = attempt_of(world, life)
    assert answer == {"outcome": "launched", "seconds": 240}
    assert tokens.matches(told.token, attempt.token_hash)
    assert told.token not in repr(session_of(world, life))
    assert attempt.provider_id == told.sandbox_id == world.machine().info.provider_id
    assert world.machine().started == [SUPERVISOR]


def test_the_identity_says_what_the_bridge_needs_and_nothing_more():
    world = World()
    world.secrets.values = {"E2B_API_KEY": "e2b-secret", "ANTHROPIC_API_KEY": "model-key"}
    life = waiting(world)

    world.lives.launch(life)

    told = identity_in(world.machine())
    assert (told.session, told.attempt) == (life.session_id, 1)
    assert [repository.url for repository in told.repositories] == [build.repository().url]
    assert told.session_branch == f"outboard/{life.session_id}"
    assert told.environment["ANTHROPIC_API_KEY"] == "model-key"
    assert "e2b-secret" not in told.model_dump_json()


def test_the_provider_is_told_no_secret_where_it_logs():
    world = World()
    world.secrets.values = {"ANTHROPIC_API_KEY": "model-key"}
    life = waiting(world)

    world.lives.launch(life)

    told = identity_in(world.machine())
    asked = json.dumps(world.sandboxes.calls, default=str)
    assert world.machine().environment == {}
    assert told.token not in asked
    assert "model-key" not in asked


def test_a_sandbox_is_found_again_by_whose_it_is_and_what_it_was_made_from():
    world = World()
    life = waiting(world)

    world.lives.launch(life)

    assert world.machine().info.metadata == {
        "outboard-deployment": "outboard-sessions",
        "outboard-session": life.session_id,
        "outboard-attempt": "1",
        "outboard-boot": "fresh",
    }


def test_a_fresh_one_is_made_from_the_template():
    world = World()
    life = waiting(world)

    world.lives.prepare(life)
    world.lives.launch(life)

    told = identity_in(world.machine())
    assert world.machine().snapshot is None
    assert (told.boot, told.resumed) == ("fresh", False)


def test_a_follow_up_wakes_the_sessions_own_sandbox_with_its_files():
    world = World()
    life = next_prompt(world, put_away(world))

    world.lives.prepare(life)
    world.lives.launch(life)

    told = identity_in(world.machine())
    assert world.machine().boots == 2
    assert world.machine().files[WORK] == b"work"
    assert (told.attempt, told.boot, told.resumed) == (2, "resume", True)
    assert tokens.matches(told.token, attempt_of(world, life).token_hash)


def test_a_session_whose_sandbox_is_lost_goes_on_from_its_copy():
    world = World()
    session_id = put_away(world)
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)

    answer = world.lives.launch(life)

    told = identity_in(world.machine())
    assert answer["outcome"] == "launched"
    assert world.machine().files[WORK] == b"work"
    assert (told.boot, told.resumed) == ("restore", True)
    assert world.machine().info.metadata["outboard-boot"] == "restore"


def test_a_session_that_has_lost_both_starts_from_what_was_pushed():
    world = World()
    session_id = put_away(world)
    world.sandboxes.kill(world.machine().info.provider_id)
    world.sandboxes.copies.clear()
    life = next_prompt(world, session_id)

    answer = world.lives.launch(life)

    told = identity_in(world.machine())
    assert answer["outcome"] == "launched"
    assert (told.boot, told.resumed) == ("fresh", False)
    assert told.session_branch == f"outboard/{session_id}"
    assert warnings(world, life) == [
        "the session's sandbox is lost",
        "the sandbox is made anew from the last copy of its files",
        "the copy of the session's files is lost",
        "the sandbox starts from what was pushed",
    ]


def warnings(world: World, life: Life) -> list[str]:
    entries = world.app.timeline.after(life.session_id, 0, limit=100)
    events = [event for entry in entries for event in entry.frame.events]
    return [event["message"] for event in events if event["type"] == "warning"]


def test_the_next_best_is_chosen_for_a_retry_as_well():
    """A function that is killed in between leaves the choice in the session."""
    world = World()
    session_id = put_away(world)
    world.sandboxes.kill(world.machine().info.provider_id)
    life = next_prompt(world, session_id)
    world.lives.launch(life)

    world.lives.launch(life)

    assert attempt_of(world, life).boot is Boot.RESTORE
    assert calls(world, "create") == ["create"] * 2
    assert len(world.sandboxes.machines) == 1


def test_a_session_on_repositories_with_an_image_begins_with_it():
    world = World()
    world.images.register((build.repository(),), "team/tool:1")
    world.sandboxes.copies["team/tool:1"] = {"/workspace/tool/set-up": b"yes"}
    life = waiting(world)

    world.lives.prepare(life)
    world.lives.launch(life)

    told = identity_in(world.machine())
    assert world.machine().files["/workspace/tool/set-up"] == b"yes"
    assert (told.boot, told.resumed) == ("image", False)


def test_files_of_the_session_go_before_an_image():
    world = World()
    session_id = put_away(world)
    world.images.register((build.repository(),), "team/tool:1")
    life = next_prompt(world, session_id)

    world.lives.prepare(life)
    world.lives.launch(life)

    assert identity_in(world.machine()).boot == "resume"


def test_a_launch_of_an_attempt_that_is_over_asks_the_provider_for_nothing():
    world = World()
    life = waiting(world)
    world.app.sessions.handle(life.session_id, Cancel(UserId("ada")))

    answer = world.lives.launch(life)

    assert answer["outcome"] == "failed"
    assert world.sandboxes.calls == []


def test_a_sandbox_lives_as_long_as_the_session_says_else_as_the_deployment_does():
    chosen, plain = World(), World()

    lives = (
        waiting(chosen, SandboxSettings(lifetime=timedelta(hours=2))),
        waiting(plain),
    )
    for world, life in zip((chosen, plain), lives, strict=True):
        world.lives.launch(life)

    assert chosen.machine().info.ends_at == build.NOW + timedelta(hours=2)
    assert plain.machine().info.ends_at == build.NOW + plain.lives.launcher.lifetime
    assert attempt_of(chosen, lives[0]).expires_at == build.NOW + timedelta(hours=2)


def test_a_sandbox_has_the_size_that_the_session_asks_for():
    world = World()
    size = SandboxSize(cpu_cores=4, memory_mib=8192)
    world.sandboxes.sizes.add(size)
    life = waiting(world, SandboxSettings(cpu_cores=4, memory_mib=8192))

    world.lives.launch(life)

    assert world.machine().size == size


def test_tunnels_are_in_the_identity_and_in_the_session():
    world = World()
    life = waiting(world, SandboxSettings(tunnel_ports=(3000, 8080)))

    world.lives.launch(life)

    told = identity_in(world.machine())
    box = world.machine().info.provider_id
    urls = {port: f"https://{port}-{box}.sandboxes.example" for port in (3000, 8080)}
    assert world.machine().tunnels
    assert told.tunnel_ports == [3000, 8080]
    assert told.tunnels == {str(port): url for port, url in urls.items()}
    assert attempt_of(world, life).tunnels == tuple(urls.items())


def test_nothing_from_outside_reaches_a_sandbox_without_tunnels():
    world = World()

    world.lives.launch(waiting(world))

    told = identity_in(world.machine())
    assert not world.machine().tunnels
    assert (told.tunnel_ports, told.tunnels) == ([], {})
    assert calls(world, "address") == []


def test_a_sandbox_that_wakes_has_the_addresses_that_it_had():
    world = World()
    life = running(world, SandboxSettings(tunnel_ports=(3000,)))
    before = attempt_of(world, life).tunnels
    finish(world, life)
    world.lives.checkpoint(life)
    fall_asleep(world, life)
    asleep = attempt_of(world, life).tunnels
    end(world, life)
    again = next_prompt(world, life.session_id)

    world.lives.launch(again)

    assert asleep == ()
    assert attempt_of(world, again).tunnels == before
    assert identity_in(world.machine()).tunnels == {"3000": before[0][1]}
