"""A prompt's text, fetched in parts: it may be longer than a WebSocket message."""

from dataclasses import dataclass
from math import inf

from sandbox_bridge.wire.actions import Actions, Fetched, Send, Unfetchable
from sandbox_bridge.wire.question import Question
from shared.protocol.bridge import GetPrompt, PromptPart, Refused


@dataclass(slots=True)
class _Fetch:
    prompt: int
    question: Question
    text: str = ""


class Fetching:
    def __init__(self) -> None:
        self._fetch: _Fetch | None = None

    def begin(self, prompt: int) -> None:
        self._fetch = _Fetch(prompt, _ask(prompt, 0))

    def welcomed(self) -> None:
        if self._fetch:
            self._fetch.question.ask_anew()

    def received(self, part: PromptPart) -> Actions:
        fetch = self._fetch
        if fetch is None or (part.prompt, part.offset) != (fetch.prompt, len(fetch.text)):
            return ()
        fetch.text += part.text
        if len(fetch.text) >= part.total:
            self._fetch = None
            return (_fetched(fetch.text, part),)
        if part.text:
            fetch.question = _ask(fetch.prompt, len(fetch.text))
        return ()

    def refused(self, refusal: Refused, now: float) -> Actions:
        fetch = self._fetch
        if fetch is None or refusal.id not in {"", str(fetch.prompt)}:
            return ()
        if not refusal.final:
            fetch.question.retry(now)
            return ()
        self._fetch = None
        return (Unfetchable(fetch.prompt, refusal.message),)

    def tick(self, now: float) -> Actions:
        text = self._fetch.question.ask(now) if self._fetch else None
        return (Send(text),) if text else ()

    @property
    def due(self) -> float:
        return self._fetch.question.due if self._fetch else inf


def _ask(prompt: int, offset: int) -> Question:
    asked = GetPrompt(prompt=prompt, offset=offset, attachments=True)
    return Question(asked.model_dump_json(by_alias=True))


def _fetched(text: str, part: PromptPart) -> Fetched:
    return Fetched(
        prompt=part.prompt,
        text=text,
        author_name=part.author_name,
        author_email=part.author_email,
        model=part.model,
        effort=part.effort,
        attachments=tuple(part.attachments),
    )
