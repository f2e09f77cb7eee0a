"""The frames of the timeline: one in flight, never changed, while the next one gathers."""

from collections.abc import Callable
from math import inf

from sandbox_bridge.wire import frame as frames
from sandbox_bridge.wire.actions import Actions, Dropped, Forget, Keep, Send, Settled
from sandbox_bridge.wire.frame import Frame
from sandbox_bridge.wire.pace import Pace
from sandbox_bridge.wire.question import Question
from sandbox_bridge.wire.waiting import Waiting
from shared.protocol.bridge import Ack, Cursor, Refused
from shared.protocol.events import BridgeEvent, Warned

REFUSAL_SCOPE = "timeline"


class Sending:
    """`frame` is what an earlier bridge of this attempt had in flight: it goes first, unchanged."""

    def __init__(self, new_id: Callable[[], str], frame: Frame | None = None) -> None:
        self._new_id = new_id
        self._waiting = Waiting()
        self._frame = frame
        self._question = None if frame is None else Question(frame.raw)
        self._cursor: Cursor | None = None
        self._pace = Pace()

    def say(self, event: BridgeEvent) -> None:
        self._waiting.add(event)

    def welcomed(self, cursor: Cursor) -> None:
        """`cursor` is for frames not built yet; one already built keeps the `after` it has."""
        self._cursor = cursor
        if self._question:
            self._question.ask_anew()

    def acknowledged(self, ack: Ack) -> Actions:
        if self._frame is None or ack.id != self._frame.id:
            return ()
        self._cursor = ack.cursor
        return (Settled(self._settle().events), Forget())

    def refused(self, refusal: Refused, now: float) -> Actions:
        if self._frame is None or self._question is None or refusal.id != self._frame.id:
            return ()
        if not refusal.final:
            self._question.retry(now)
            return ()
        events = self._settle().events
        if not all(_is_about_refusals(event) for event in events):
            self._waiting.add(_about(refusal, len(events)))
        return (Dropped(events), Forget())

    def tick(self, now: float) -> Actions:
        if self._question is None:
            return self._begin(now)
        text = self._question.ask(now)
        return (Send(text),) if text else ()

    @property
    def due(self) -> float:
        if self._question:
            return self._question.due
        return self._next_frame_at if self._waiting else inf

    @property
    def _next_frame_at(self) -> float:
        # The pace is there to gather words. A backlog goes as fast as the server answers.
        return -inf if self._waiting.fills_a_frame else self._pace.not_before

    def _begin(self, now: float) -> Actions:
        if not self._waiting or self._cursor is None or now < self._next_frame_at:
            return ()
        self._pace.sent(now)
        self._frame = frames.build(self._new_id(), self._cursor, self._waiting.take())
        self._question = Question(self._frame.raw)
        return (Keep(self._frame), *self.tick(now))

    def _settle(self) -> Frame:
        assert self._frame is not None
        frame, self._frame, self._question = self._frame, None, None
        return frame


def _about(refusal: Refused, events: int) -> Warned:
    return Warned(
        message=f"the server refused {events} events ({refusal.code}): {refusal.message}",
        scope=REFUSAL_SCOPE,
    )


def _is_about_refusals(event: dict[str, object]) -> bool:
    # A refused warning is not warned about, or a server that refuses everything never rests.
    return event.get("type") == "warning" and event.get("scope") == REFUSAL_SCOPE
