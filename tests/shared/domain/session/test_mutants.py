"""The machine can fail: it notices rules that are broken on purpose, one line at a time."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared.domain.session.mutants import MUTANTS

ROOT = Path(__file__).parents[4]


def test_a_mutant_is_one_change_of_a_line_that_is_there():
    for mutant in MUTANTS:
        source = (ROOT / "shared/domain/session" / f"{mutant.module}.py").read_text()

        assert mutant.source(source) != source


@pytest.mark.slow
def test_no_mutant_survives():
    tried = subprocess.run(
        [sys.executable, "-m", "tests.shared.domain.session.mutants"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (tried.returncode, tried.stderr) == (0, ""), tried.stdout
    assert tried.stdout.count("caught") == len(MUTANTS)
