"""The simulation can fail: it finds bugs that are put in on purpose, in every layer."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.mutants import MUTANTS

ROOT = Path(__file__).parents[2]
LAYERS = {
    "shared.domain.session",
    "shared.app",
    "infra",
    "sandbox_bridge",
    "tests.fakes",
}


def test_a_mutant_is_one_change_of_a_line_that_is_there():
    for mutant in MUTANTS:
        source = (ROOT / f"{mutant.module.replace('.', '/')}.py").read_text()

        assert mutant.source(source) != source


def test_there_are_mutants_in_every_layer():
    assert len(MUTANTS) >= 15
    for layer in LAYERS:
        assert any(mutant.module.startswith(layer) for mutant in MUTANTS), layer


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_no_mutant_survives():
    tried = subprocess.run(
        [sys.executable, "-m", "tests.simulation.mutation"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (tried.returncode, tried.stderr) == (0, ""), tried.stdout
    assert tried.stdout.count("caught") == len(MUTANTS)
