"""What a watcher says about a session's sandbox over its socket."""

from shared.domain.session.sandbox import SandboxStatus
from tests.shared.edge.test_sockets import connected, heard, message
from tests.world import World


def test_whoever_types_has_a_sandbox_warmed_once():
    world = World()
    session_id, handler = connected(world)

    handler(message(session_id, {"type": "typing"}), None)
    handler(message(session_id, {"type": "typing"}), None)

    assert world.app.sessions.load(session_id).sandbox is SandboxStatus.WARMING
    assert world.workflow.started == [(session_id, 1, 1)]
    assert heard(world) == []


def test_a_queue_is_resumed_and_one_that_was_not_held_is_fine():
    world = World()
    session_id, handler = connected(world)

    handler(message(session_id, {"type": "resume_queue", "requestId": "r7"}), None)

    assert heard(world) == [{"type": "done", "requestId": "r7"}]
