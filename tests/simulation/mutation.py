"""Tries the mutants: one that survives means that the simulation looks at less than it seems to.

`python -m tests.simulation.mutation` tries them all, or those whose name has one of its arguments.
"""

import importlib.util
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

from tests.simulation.mutants import MUTANTS, Mutant

SEEDS = range(1000, 1600)
"""CI shows of each of them that it finds nothing where nothing is broken."""
STEPS = 250


def _try(mutant: Mutant) -> str:
    _import_mutated(mutant)
    run = importlib.import_module("tests.simulation.run")
    for seed in SEEDS:
        if (violation := run.one(seed, STEPS).violation) is not None:
            return f"seed {seed}, {violation[:200]}"
    return ""


def _import_mutated(mutant: Mutant) -> None:
    """Before any module that stands on it: those find it in place of the real one."""
    spec = importlib.util.find_spec(mutant.module)
    assert spec is not None
    assert spec.origin is not None
    assert mutant.module not in sys.modules
    source = mutant.source(Path(spec.origin).read_text())
    module = ModuleType(mutant.module)
    module.__file__ = spec.origin
    sys.modules[mutant.module] = module
    exec(compile(source, spec.origin, "exec"), module.__dict__)
    package, _, name = mutant.module.rpartition(".")
    setattr(sys.modules[package], name, module)


def main() -> int:
    """How many survived."""
    wanted = sys.argv[1:]
    chosen = [m for m in MUTANTS if not wanted or any(word in m.name for word in wanted)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return sum(pool.map(_report, chosen))


def _report(mutant: Mutant) -> bool:
    tried = subprocess.run(
        [sys.executable, "-m", __spec__.name, "--one", mutant.name],
        capture_output=True,
        text=True,
        check=False,
    )
    found = tried.stdout.strip()
    verdict = f"caught    by {found}" if found else f"SURVIVED  {tried.stderr[-300:]}"
    sys.stdout.write(f"{mutant.module}: {mutant.name}\n    {verdict}\n")
    sys.stdout.flush()
    return not found


def _one(name: str) -> int:
    (mutant,) = (m for m in MUTANTS if m.name == name)
    sys.stdout.write(_try(mutant))
    sys.stdout.flush()
    os._exit(0)  # threads of the last seed may still stand somewhere


if __name__ == "__main__":
    sys.exit(_one(sys.argv[2]) if sys.argv[1:2] == ["--one"] else main())
