"""What our own modules log comes out as JSON with its fields."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_warning_of_a_use_case_is_a_json_line_with_its_fields():
    code = (
        "import logging, shared.edge.log, shared.app.effects as effects\n"
        "effects.logger.warning('effect_failed', extra={'session_id': 's1', 'tries': 2})"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "POWERTOOLS_SERVICE_NAME": "test"},
        capture_output=True,
        text=True,
        check=True,
    )

    (line,) = (done.stdout + done.stderr).splitlines()
    told = json.loads(line)
    assert told["message"] == "effect_failed"
    assert (told["session_id"], told["tries"], told["service"]) == ("s1", 2, "test")
