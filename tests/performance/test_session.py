"""One session under way: how soon it is seen, how much it takes, how long a prompt is on its way.

The bridge is this test; everything between it and the client is the deployed template.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median

import pytest

from shared.client.api import Api
from tests.performance.bridge import Bridge, connected, delta, finished, started
from tests.performance.stage import Stage, prompt
from tests.performance.table import Report, milliseconds, percentile
from tests.performance.watching import Watching, deltas, timeline, watching

pytestmark = [pytest.mark.local_aws, pytest.mark.slow]

FRAMES, INTERVAL = 75, 0.2
INGEST_SECONDS = 5
EVENTS_A_FRAME, EVENT_BYTES = 100, 236
PROMPTS = 10


@dataclass(frozen=True, slots=True)
class Scene:
    api: Api
    session: str
    bridge: Bridge
    watch: Watching


def test_a_frame_is_seen_soon(stage: Stage, report: Report):
    took, late, wrong = asyncio.run(_seen(stage))

    p50, p99 = percentile(took, 50), percentile(took, 99)
    report.tell(
        "bridge -> subscribed client, 5 frames/s, p50",
        milliseconds(p50),
        budget="<= 60 ms",
        met=p50 <= 0.060,
    )
    report.tell(
        "bridge -> subscribed client, 5 frames/s, p99",
        milliseconds(p99),
        budget="<= 250 ms",
        met=p99 <= 0.250,
    )
    report.tell("frames that left later than planned, the one before being unacked", str(late))
    _tell_wrong(report, f"{FRAMES} frames at 5/s", wrong)
    assert wrong == 0


async def _seen(stage: Stage) -> tuple[list[float], int, int]:
    said = [f"seen-{number}" for number in range(FRAMES)]
    sent: dict[str, float] = {}
    late = 0
    async with _scene(stage) as scene:
        began = time.monotonic()
        for number, part in enumerate(said):
            planned = began + number * INTERVAL
            late += time.monotonic() > planned + INTERVAL / 10
            await asyncio.sleep(planned - time.monotonic())
            sent[part] = time.monotonic()
            await scene.bridge.say(delta("some words of an agent", part=part))
        await scene.watch.until_seen(said[-1])
        wrong = await _wrong(scene, said)
        return [scene.watch.seen[part] - at for part, at in sent.items()], late, wrong


def test_a_session_takes_in_much_at_once(stage: Stage, report: Report):
    events, seconds, wrong = asyncio.run(_taken_in(stage))

    rate = events / seconds
    report.tell(
        f"sustained ingest, {EVENTS_A_FRAME} events of <= 240 bytes a frame",
        f"{rate:.0f} events/s",
        budget=">= 1000 events/s",
        met=rate >= 1_000,
    )
    _tell_wrong(report, f"{events} events back to back", wrong)
    assert wrong == 0


async def _taken_in(stage: Stage) -> tuple[int, float, int]:
    said: list[str] = []
    async with _scene(stage) as scene:
        began = time.monotonic()
        while time.monotonic() < began + INGEST_SECONDS:
            frame = [f"much-{len(said) + number}" for number in range(EVENTS_A_FRAME)]
            await scene.bridge.say(*map(_large, frame))
            said += frame
        seconds = time.monotonic() - began
        await scene.watch.until_seen(said[-1])
        return len(said), seconds, await _wrong(scene, said)


def _large(part: str) -> dict[str, str]:
    bare = len(str(delta("", part=part)))
    return delta("x" * (EVENT_BYTES - bare), part=part)


def test_a_prompt_is_soon_with_the_bridge(stage: Stage, report: Report):
    took = asyncio.run(_prompted(stage))

    report.tell(
        "a warm prompt, from POST to its whole text in the bridge, median",
        f"{milliseconds(median(took))} (longest {milliseconds(max(took))})",
        budget="<= 150 ms",
        met=median(took) <= 0.150,
    )
    assert len(took) == PROMPTS


async def _prompted(stage: Stage) -> list[float]:
    took: list[float] = []
    async with _scene(stage) as scene:
        await scene.bridge.say(finished(1))
        for number in range(2, PROMPTS + 2):
            began = time.monotonic()
            accepted = asyncio.create_task(scene.api.submit(scene.session, prompt("do it " * 50)))
            await scene.bridge.told_to_run(number)
            text = await scene.bridge.whole_text(number)
            took.append(time.monotonic() - began)
            assert text == "do it " * 50
            assert (await accepted).number == number
            await scene.bridge.say(started(number), finished(number))
    return took


@asynccontextmanager
async def _scene(stage: Stage) -> AsyncGenerator[Scene]:
    """A session whose first prompt is running, with one viewer."""
    async with stage.api() as api:
        session = await stage.open_session(api)
        await api.submit(session, prompt("begin"))
        async with (
            connected(await stage.identity(session)) as bridge,
            watching(api, session) as watch,
        ):
            await bridge.told_to_run(1)
            await bridge.say(started(1))
            yield Scene(api, session, bridge, watch)
        await api.cancel(session)


async def _wrong(scene: Scene, said: list[str]) -> int:
    """Events lost, stored twice or out of order, in the log and as the client was shown it."""
    stored = await timeline(scene.api, scene.session)
    shown = scene.watch.entries
    numbers = [entry.seq for entry in stored]
    return (
        _differing(numbers, list(range(1, len(stored) + 1)))
        + _differing(deltas(stored), said)
        + _differing([entry.seq for entry in shown], numbers[: len(shown)])
        + _differing(deltas(shown), said)
    )


def _differing[T](found: list[T], expected: list[T]) -> int:
    pairs = zip(found, expected, strict=False)
    return sum(a != b for a, b in pairs) + abs(len(found) - len(expected))


def _tell_wrong(report: Report, run: str, wrong: int) -> None:
    report.tell(f"lost, twice or out of order, {run}", str(wrong), budget="0", met=wrong == 0)
