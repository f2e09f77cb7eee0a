"""Steps of the workflow, as Step Functions calls them.

The names of steps and outcomes are a contract with the state machine in `infra`; error class names
are one too, because its `Retry` and `Catch` match them.
"""

from collections.abc import Mapping
from typing import Any

from shared.app.lives import Life, Lives
from shared.domain.session.commands import Clock
from shared.domain.session.state import SessionId, Wait

type Payload = Mapping[str, Any]


def run_step(event: Payload, lives: Lives) -> Mapping[str, Any]:
    life = Life(SessionId(event["session"]), int(event["attempt"]))
    match event["step"]:
        case "prepare":
            return lives.prepare(life)
        case "launch":
            return {"outcome": lives.launch(life)}
        case "launch_failed":
            return {"outcome": lives.launch_failed(life, _cause(event))}
        case "await":
            lives.wait(life, Wait(event["wait"]), event["token"])
        case "question":
            clock = Clock(event["clock"])
            return {"outcome": lives.question(life, Wait(event["wait"]), clock)}
        case "preserve":
            lives.preserve(life)
        case "retire":
            lives.retire(life)
        case "life_ended":
            lives.life_ended(life, int(event["life"]))
        case unknown:
            raise ValueError(f"the workflow asks for {unknown!r}")
    return {"outcome": "done"}


def _cause(event: Payload) -> str:
    """In words; the error's own text may carry anything and stays in the logs."""
    error: Mapping[str, str] = event.get("error") or {}
    return f"the provider could not start the sandbox ({error.get('Error', 'unknown')})"
