"""A few seeds, and that a seed is one story; `make sim` and CI tell thousands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.run import Tally, one, run

ROOT = Path(__file__).parents[2]
SECRET = re.compile(r"\.[0-9a-f]{4,32}\b")
"""The signatures of cursors: their keys are the one thing that no seed decides."""


def test_some_seeds_break_no_promise():
    said: list[str] = []

    tally = run(range(1, 41), say=said.append)

    assert said == []
    assert tally.seeds == 40
    assert tally.steps >= 40 * 200


def test_a_seed_is_one_story():
    first: list[str] = []
    second: list[str] = []

    one(20, heard=first.append)
    one(20, heard=second.append)

    assert [SECRET.sub("", line) for line in first] == [SECRET.sub("", line) for line in second]


def test_a_run_that_hardly_tried_something_says_so():
    tally = Tally(seeds=2_000)

    assert "sandbox killed" in tally.rare()
    assert "cancel" in tally.rare()


@pytest.mark.slow
def test_a_seed_is_the_same_story_in_another_process():
    stories = {_told(seed="1"), _told(seed="2")}

    assert len(stories) == 1


def _told(*, seed: str) -> str:
    told = subprocess.run(
        [sys.executable, "-m", "tests.simulation", "--seeds", "20-25", "--trace"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    return SECRET.sub("", told.stdout)
