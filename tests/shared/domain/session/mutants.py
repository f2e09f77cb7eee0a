"""Mutants of the rules: one line of the domain each, which the machine has to notice.

`python -m tests.shared.domain.session.mutants` lists them with what became of each. One that
survives means that the machine asserts less than it seems to.
"""

import importlib.util
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic
from types import ModuleType

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.shared.domain.session.mutations import OF_ATTEMPTS, Mutant
from tests.shared.domain.session.mutations_of_lives import OF_LIVES
from tests.shared.domain.session.mutations_of_wakes import OF_WAKES

RULES = "shared.domain.session"
MACHINE = "tests.shared.domain.session.test_machine"
LED = "tests.shared.domain.session.test_led_machine"
SETTINGS = settings(
    max_examples=600,
    stateful_step_count=40,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
LED_SETTINGS = settings(SETTINGS, max_examples=30, stateful_step_count=20)


RARE = frozenset(
    {
        "a copy that has booted leaves the sandbox the session's",
        "an unknown end is waited for without an end",
        "a warm-up that took a bad image is over",
    }
)
"""So rare a story tells on them that 600 free examples may not have it: they are led there."""

_ALL = (*OF_ATTEMPTS, *OF_WAKES, *OF_LIVES)

MUTANTS = (
    *(mutant for mutant in _ALL if mutant.name in RARE),
    *(mutant for mutant in _ALL if mutant.name not in RARE),
)

IN_CI = len(RARE) + 44
"""So many of them, from the first on: to try them all takes a quarter of an hour."""


def survives(mutant: Mutant | None) -> bool:
    """In a process of its own: the rules are imported once and the mutant's stay imported.

    None: nothing is broken. What does not survive that is an alarm about nothing.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _try(mutant)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _try(mutant: Mutant | None) -> None:
    if mutant is not None:
        _import_mutated(mutant)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        # What shows where stories are led is found in a second; whatever does not, in a minute.
        led = importlib.import_module(LED).LedMachine
        run_state_machine_as_test(led, settings=LED_SETTINGS)
        free = importlib.import_module(MACHINE).SessionMachine
        run_state_machine_as_test(free, settings=SETTINGS)


def _import_mutated(mutant: Mutant) -> None:
    """Before any module that stands on it: those find it in place of the real one."""
    name = f"{RULES}.{mutant.module}"
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert name not in sys.modules
    source = mutant.source(Path(spec.origin).read_text())
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, spec.origin, "exec"), module.__dict__)
    setattr(sys.modules[RULES], mutant.module, module)


def main() -> int:
    """How many survived: of all, or of every second one that CI tries, from that one on.

    `unbroken`: whether the rules as they are do not.
    """
    if sys.argv[1:] == ["unbroken"]:
        return int(not survives(None))
    chosen = MUTANTS[int(sys.argv[1]) : IN_CI : 2] if sys.argv[1:] else MUTANTS
    return sum(_report(mutant) for mutant in chosen)


def _report(mutant: Mutant) -> bool:
    began = monotonic()
    survived = survives(mutant)
    verdict = "SURVIVED" if survived else "caught"
    took = f"{monotonic() - began:5.1f} s"
    sys.stdout.write(f"{verdict:9}{took}  {mutant.module}: {mutant.name}\n")
    sys.stdout.flush()
    return survived


if __name__ == "__main__":
    sys.exit(main())
