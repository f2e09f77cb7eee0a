"""How a session and its sandbox got to where a test begins."""

from shared.app.lives import Life
from shared.domain.sandbox_settings import NOTHING_CHOSEN, SandboxSettings
from shared.domain.session.commands import BecomeReady, Choose, Connect, FinishPrompt, Poke
from shared.domain.session.sandbox import Attempt
from shared.domain.session.state import PromptStatus, Session, SessionId
from shared.protocol.bridge import IDENTITY_PATH, Identity
from tests.fakes.sandboxes import Machine
from tests.world import World


def session_of(world: World, life: Life) -> Session:
    return world.app.sessions.load(life.session_id)


def attempt_of(world: World, life: Life) -> Attempt:
    attempt = session_of(world, life).current(life.attempt)
    assert attempt is not None
    return attempt


def machine_of(world: World, life: Life) -> Machine:
    """The sandbox that the attempt believes to be in."""
    provider_id = attempt_of(world, life).provider_id
    assert provider_id is not None
    return world.sandboxes.machine(provider_id)


def identity_in(machine: Machine) -> Identity:
    return Identity.model_validate_json(machine.files[IDENTITY_PATH])


def waiting(world: World, settings: SandboxSettings = NOTHING_CHOSEN) -> Life:
    """A prompt waits for the first attempt."""
    session_id = world.open_session()
    world.app.sessions.handle(session_id, Choose(settings=settings))
    world.submit(session_id)
    return Life(session_id, 1)


def come_up(world: World, life: Life, *, marker: int | None = 0, complete: bool = True) -> None:
    """The bridge connects and gets ready."""
    world.app.sessions.handle(life.session_id, Connect(life.attempt, marker))
    world.app.sessions.handle(life.session_id, BecomeReady(life.attempt, complete))


def running(world: World, settings: SandboxSettings = NOTHING_CHOSEN) -> Life:
    """The first prompt has its turn."""
    life = waiting(world, settings)
    world.lives.launch(life)
    come_up(world, life)
    return life


def finish(world: World, life: Life, status: PromptStatus = PromptStatus.COMPLETED) -> None:
    """The turn of the running prompt ends, and leaves a file."""
    running = session_of(world, life).running
    assert running is not None
    number = running.prompt.number
    machine_of(world, life).files[f"/workspace/tool/{number}"] = b"work"
    done = FinishPrompt(attempt=life.attempt, prompt=number, status=status)
    world.app.sessions.handle(life.session_id, done)


def saving(world: World) -> Life:
    """The first turn is over, and a copy of the files is to be made."""
    life = running(world)
    finish(world, life)
    return life


def serving(world: World) -> Life:
    """The first turn is over and its files are copied; nothing waits."""
    life = saving(world)
    world.lives.checkpoint(life)
    return life


def fall_asleep(world: World, life: Life) -> None:
    """Nobody wants anything: the attempt ends, and its files are to be put away."""
    due = attempt_of(world, life).idle_due
    assert due is not None
    world.now = due
    world.app.sessions.handle(life.session_id, Poke(life.attempt, watched=False))


def end(world: World, life: Life) -> None:
    world.lives.preserve(life)
    world.lives.retire(life)


def put_away(world: World) -> SessionId:
    """A session whose sandbox is paused, with the work of its first prompt, and copied."""
    life = serving(world)
    fall_asleep(world, life)
    end(world, life)
    return life.session_id


def next_prompt(world: World, session_id: SessionId) -> Life:
    """It waits for the attempt that is begun for it."""
    number = world.app.sessions.load(session_id).prompts + 1
    world.submit(session_id, request_id=f"p{number}")
    attempt = world.app.sessions.load(session_id).attempt
    assert attempt is not None
    return Life(session_id, attempt.number)


def calls(world: World, *names: str) -> list[str]:
    """Which of these the provider was asked for, in their order."""
    return [called for called, _ in world.sandboxes.calls if called in names]
