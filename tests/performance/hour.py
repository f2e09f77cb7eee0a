"""What happens in an active hour of one session with one viewer, and what each of it takes.

Requests to DynamoDB and messages to sockets are counted in the app's own code. What only AWS could
tell, how long a function runs there, is assumed; so is how busy the hour is.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from infra import sandbox_life
from shared.domain.session.state import UserId
from shared.protocol import bridge
from tests.local_aws import LocalAws
from tests.performance import prices
from tests.performance.counting import counted
from tests.performance.real_tables import RealTables, Said, text

# Assumed: how busy the hour is.
PROMPTS = 12
LARGE_SHARE = 0.05
"""Of the frames: those with a tool's output of 8,000 characters, the most that is kept."""
_USUAL = (
    *("Prepare", "Prepared", "Launch", "Launched", "AwaitConnect", "Connected"),
    *("AwaitReady", "Ready", "Serve", "Served", "Preserve", "Retire"),
)
"""The states of a life in which nothing goes wrong."""
_COPIED = ("Served", "Checkpoint", "Saved", "Serve")
"""After each prompt: they are asked every five minutes, which is as often as there is a copy."""
HEARTBEATS = 3600 // 30
PINGS = 3600 // 20
LOOKS = 3600 // 5
LISTED = 30
"""Sessions that the sidebar shows."""

# Assumed: how long a warm function runs at AWS, in seconds, times the gigabytes that it has there.
SOCKET = 0.080 * 1.0
AUTHORIZER = 0.050 * 0.5
HTTP = 0.150 * 1.0
TASK = 1.000 * 1.0
POKE = 0.150 * 0.5
LOGGED_GB = 500 / 1e9
"""By an invocation: Lambda's own lines, and now and then one of ours."""

type Quantities = Mapping[str, float]
"""By the names of `prices`."""


@dataclass(frozen=True, slots=True)
class Act:
    what: str
    times: float
    takes: Quantities
    """Each time."""


def acts(aws: LocalAws, frames_a_second: float) -> list[Act]:
    frames = 3600 * frames_a_second
    world = RealTables(aws=aws).boot()
    return [
        Act("a session is opened", 1, _opening(world)),
        Act("a sandbox is launched, boots, serves and is paused", 1, _life(aws)),
        Act("a viewer comes and goes", 1, _joining(world)),
        Act("a frame with 80 characters of words", frames * (1 - LARGE_SHARE), _words(world)),
        Act("a frame with 8,000 characters of output", frames * LARGE_SHARE, _output(world)),
        Act("a heartbeat of the bridge", HEARTBEATS, _heartbeat(world)),
        Act("a ping of the viewer", PINGS, _ping(world)),
        Act("a prompt is asked, run and finished", PROMPTS, _prompt(world)),
        Act("a sidebar looks at its inbox", LOOKS, _look(world)),
        Act("two sockets are open for a minute", 60, {prices.MINUTES: 2}),
    ]


def total(*of: Quantities) -> Quantities:
    return {name: sum(each.get(name, 0) for each in of) for name in set().union(*of)}


def _opening(world: RealTables) -> Quantities:
    with _measured(world) as takes:
        world.open_session(uuid4().hex)
    return total(takes, _http())


def _life(aws: LocalAws) -> Quantities:
    world = RealTables(aws=aws)
    with _measured(world) as takes:
        world.boot()
        world.lives.preserve(world.life)
        world.lives.retire(world.life)
    handshake = total(_invoked(1, AUTHORIZER), _invoked(2, SOCKET))
    return total(takes, {prices.TRANSITIONS: 1}, _steps(_USUAL), handshake)


def _joining(world: RealTables) -> Quantities:
    """Leaves one behind, for whom the rest is counted."""
    world.subscribe(world.open_socket("viewer"))
    with _measured(world) as takes:
        passing = world.open_socket("passing")
        world.subscribe(passing)
        world.app.viewers.disconnect(passing)
    handshake = total(_invoked(1, AUTHORIZER), _invoked(2, SOCKET))
    return total(takes, _http(), handshake, _received())


def _words(world: RealTables) -> Quantities:
    return _frame(world, text("x" * 80))


def _output(world: RealTables) -> Quantities:
    tool = {"type": "tool", "prompt": 1, "call": "c", "tool": "bash", "status": "completed"}
    return _frame(world, tool | {"output": "x" * 8_000})


def _frame(world: RealTables, event: Said) -> Quantities:
    with _measured(world) as takes:
        world.tell(event)
    return takes


def _heartbeat(world: RealTables) -> Quantities:
    with _measured(world) as takes:
        world.ask(bridge.Heartbeat())
    return takes


def _ping(world: RealTables) -> Quantities:
    watcher = world.watcher("viewer")
    with _measured(world) as takes:
        world.app.viewers.ping(watcher)
    return total(takes, _received())


def _prompt(world: RealTables) -> Quantities:
    world.tell(_finished(1))
    world.save("between")
    world.pass_time(timedelta(hours=1) / PROMPTS)
    with _measured(world) as takes:
        number = world.submit(world.session, "do it", uuid4().hex)
        world.ask(bridge.GetPrompt(prompt=number))
        world.tell({"type": "prompt_started", "prompt": number})
        world.tell(_finished(number))
        world.save("after")
        world.app.idleness.poke(world.session, world.life.attempt)
    poke = {prices.SCHEDULES: 1, **_invoked(1, POKE)}
    return total(takes, _http(), poke, _steps(_COPIED))


def _look(world: RealTables) -> Quantities:
    """At as many sessions as it shows at most, all of which there are."""
    for number in range(LISTED):
        world.submit(world.open_session(f"listed-{number}"), "do it", uuid4().hex)
    with _measured(world) as takes:
        world.app.inboxes.of(UserId("ada"), limit=LISTED, mine=False)
    return total(takes, _http())


def _finished(prompt: int) -> Said:
    return {"type": "execution_complete", "prompt": prompt, "status": "completed"}


@contextmanager
def _measured(world: RealTables) -> Generator[dict[str, float]]:
    """Requests to DynamoDB, messages both ways, and the invocations for the bridge's own."""
    takes: dict[str, float] = {}
    asked, answered = world.asked, world.answered
    world.client_sockets.posted.clear()
    with counted(world.connection) as count:
        yield takes
    asked, answered = world.asked - asked, world.answered - answered
    pushed = [message for to in world.client_sockets.posted.values() for message in to]
    measured = {
        prices.WRITES: count.write_units,
        prices.READS: count.read_units,
        prices.MESSAGES: asked + answered + len(pushed),
        prices.SENT: sum(map(len, pushed)) / 1e9,
    }
    takes.update(total(measured, _invoked(asked, SOCKET)))


def _received() -> Quantities:
    """A message of a client, and the function that takes it."""
    return {prices.MESSAGES: 1, **_invoked(1, SOCKET)}


def _http() -> Quantities:
    return {prices.HTTP: 1, **_invoked(1, HTTP)}


def _invoked(times: int, gb_seconds: float) -> Quantities:
    return {
        prices.INVOCATIONS: times,
        prices.GB_SECONDS: times * gb_seconds,
        prices.LOGGED: times * LOGGED_GB,
    }


def _steps(names: Sequence[str]) -> Quantities:
    """Of the workflow; each of its tasks is an invocation, too."""
    states = sandbox_life.definition()["States"]
    tasks = sum(states[name]["Type"] == "Task" for name in names)
    return {prices.TRANSITIONS: len(names), **_invoked(tasks, TASK)}
