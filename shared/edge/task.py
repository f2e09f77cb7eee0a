"""Steps of the workflow, as Step Functions calls them.

The names of steps and outcomes are a contract with the state machine in `infra`; error class names
are one too, because its `Retry` and `Catch` match them.
"""

from collections.abc import Mapping
from typing import Any

from shared.app.launching import failure_of
from shared.app.lives import DONE, Answer, Life, Lives
from shared.domain.session.commands import Clock
from shared.domain.session.sandbox import Wait
from shared.domain.session.state import SessionId

type Payload = Mapping[str, Any]


def run_step(event: Payload, lives: Lives) -> Answer:
    life = Life(SessionId(event["session"]), int(event["attempt"]))
    match event["step"]:
        case "prepare" | "launch" | "launch_failed":
            return _boot(event, life, lives)
        case "await":
            lives.wait(life, Wait(event["wait"]), event["token"])
        case "question":
            return lives.question(life, Wait(event["wait"]), Clock(event["clock"]))
        case "checkpoint":
            return lives.checkpoint(life)
        case "checkpoint_failed":
            return lives.checkpoint_failed(life)
        case _:
            _end(event, life, lives)
    return DONE


def _boot(event: Payload, life: Life, lives: Lives) -> Answer:
    match event["step"]:
        case "prepare":
            return lives.prepare(life)
        case "launch":
            return lives.launch(life)
        case _:
            error = _error(event)
            words = f"the sandbox could not be started ({error})"
            return lives.launch_failed(life, words, failure_of(error))


def _end(event: Payload, life: Life, lives: Lives) -> None:
    match event["step"]:
        case "preserve":
            lives.preserve(life)
        case "retire":
            lives.retire(life)
        case "life_ended":
            lives.life_ended(life, int(event["life"]))
        case unknown:
            raise ValueError(f"the workflow asks for {unknown!r}")


def _error(event: Payload) -> str:
    """The name of its class; its text may carry anything and stays in the logs."""
    error: Mapping[str, str] = event.get("error") or {}
    return error.get("Error", "unknown")
