"""The machine can fail: it notices rules that are broken on purpose, one line at a time."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared.domain.session.mutants import IN_CI, MUTANTS

ROOT = Path(__file__).parents[4]


def test_a_mutant_is_one_change_of_a_line_that_is_there():
    for mutant in MUTANTS:
        source = (ROOT / "shared/domain/session" / f"{mutant.module}.py").read_text()

        assert mutant.source(source) != source


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_rules_as_they_are_survive_what_mutants_are_tried_with():
    unbroken = _started("unbroken")

    told = unbroken.communicate()

    assert unbroken.returncode == 0, told


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_no_mutant_that_ci_tries_survives():
    halves = [_started("0"), _started("1")]

    told = [half.communicate() for half in halves]

    out = "".join(out for out, _ in told)
    assert [half.returncode for half in halves] == [0, 0], out
    assert [errors for _, errors in told] == ["", ""]
    assert out.count("caught") == IN_CI


def _started(first: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.shared.domain.session.mutants", first],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
