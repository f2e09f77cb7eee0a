"""Step Functions executions outlive the host, and starting one twice starts it once.

MiniStack fails every RUNNING execution with States.ServiceRestart at the next start, keeps none
after `kill -9`, and answers ExecutionAlreadyExists to a repeated StartExecution where AWS answers
with the running one. Here each step of an execution is a write, and an interrupted execution runs
again from StartAt with new tokens: our machines adopt what an earlier run left.
"""

import contextvars
import copy
import json
import logging
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

from ministack.core.responses import json_response, request_scope
from ministack.services import stepfunctions

from infra.local.aws import emulator
from infra.local.aws.ledger import Ledger

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"

logger = logging.getLogger(__name__)

# "Execution history is kept for 90 days", and names are unique for as long.
_RETENTION = timedelta(days=90)

_STORES = (
    "state_machines",
    "tags",
    "activities",
    "state_machine_versions",
    "state_machine_aliases",
    "map_runs",
)


def restore(ledger: Ledger) -> None:
    oldest = (datetime.now(UTC) - _RETENTION).isoformat()
    for arn, body in ledger.read("SELECT arn, body FROM execution"):
        execution = json.loads(body)
        if execution["status"] != "RUNNING" and (execution["stopDate"] or "") < oldest:
            ledger.write("DELETE FROM execution WHERE arn = ?", arn)
        else:
            stepfunctions._executions.set_scoped(*_owner(arn), arn, execution)


def install(ledger: Ledger) -> None:
    _write_each_step(ledger)
    _start_once(ledger)
    _end_once()
    stepfunctions.get_state = _state_without_executions


def _state_without_executions() -> Any:
    """Their threads change them at any time, so they could not even be copied here."""
    return {name: copy.deepcopy(getattr(stepfunctions, f"_{name}")) for name in _STORES}


def resume() -> None:
    """Run again what was running when the host ended; called when its APIs can be reached."""
    for execution in list(stepfunctions._executions.all_values()):
        if execution["status"] == "RUNNING":
            logger.info("execution_rerun", extra={"execution": execution["name"]})
            execution["events"] = execution["events"][:1]
            _run(execution["executionArn"])


def _run(arn: str) -> None:
    def run() -> None:
        with request_scope(*_owner(arn)):
            stepfunctions._run_execution(arn)

    Thread(target=contextvars.copy_context().run, args=(run,), daemon=True).start()


def _write_each_step(ledger: Ledger) -> None:
    add_event = stepfunctions._add_event

    def add_and_write(execution: Any, event_type: str, details: Any = None) -> Any:
        event = add_event(execution, event_type, details)
        _write(ledger, execution)
        return event

    stepfunctions._add_event = add_and_write


def _write(ledger: Ledger, execution: Any) -> None:
    arn = execution.get("executionArn")
    if stepfunctions._executions.get_scoped(*_owner(arn), arn) is not execution:
        return  # a branch of Parallel or Map, or a run that nobody can ask about afterwards
    with ledger.transaction():
        ledger.write("INSERT OR REPLACE INTO execution VALUES (?, ?)", arn, json.dumps(execution))


def _start_once(ledger: Ledger) -> None:
    start_execution = stepfunctions._start_execution

    def start_or_find(data: Any) -> Any:
        running = _running(data)
        if running is not None:
            return json_response({
                "executionArn": running["executionArn"], "startDate": running["startDate"]
            })  # fmt: skip
        with ledger.transaction():
            answer = start_execution(data)
            if answer[0] == 200:  # noqa: PLR2004 - the emulator's handlers answer with a triple
                arn = json.loads(answer[2])["executionArn"]
                _write(ledger, stepfunctions._executions[arn])
            return answer

    stepfunctions._start_execution = start_or_find


def _running(data: Any) -> Any:
    """The execution that this very request has started before and that still runs."""
    machine = stepfunctions._resolve_state_machine_arn(data.get("stateMachineArn", ""))
    if machine is None or not data.get("name"):
        return None
    arn = f"{machine.replace(':stateMachine:', ':execution:')}:{data['name']}"
    execution = stepfunctions._executions.get(arn)
    if not execution or execution["status"] != "RUNNING":
        return None
    return execution if execution["input"] == data.get("input", "{}") else None


def _end_once() -> None:
    """An execution that was stopped stays stopped, also when its task fails afterwards."""
    fail_execution = stepfunctions._fail_execution

    def fail_if_running(execution: Any, error: str, cause: str) -> None:
        if execution["status"] == "RUNNING":
            fail_execution(execution, error, cause)

    stepfunctions._fail_execution = fail_if_running


def _owner(arn: Any) -> tuple[str, str]:
    """Account and region, as the emulator's stores are keyed."""
    parts = str(arn).split(":")
    return (parts[4], parts[3]) if len(parts) > 4 else ("", "")  # noqa: PLR2004 - arn:aws:states:region:account
