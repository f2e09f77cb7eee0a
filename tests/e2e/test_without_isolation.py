"""Where bubblewrap is missing sandboxes are plain processes: it works, and it says so."""

from pathlib import Path

from tests.e2e.machine import Machine, git, repository


def test_the_main_job_is_done_in_plain_mode_with_the_demo_model(tmp_path: Path):
    environment = {"OUTBOARD_SANDBOX_ISOLATION": "plain"}
    path = repository(tmp_path / "tool", a__txt="a\n")

    with Machine(tmp_path / "machine", environment) as machine:
        result = machine.json("prompt", "--repo", str(path), "add something", "--wait")[-1]
        told = machine.outboard("events", result["session"]).stdout
        said = (tmp_path / "machine" / "run.log").read_text()

    assert (result["status"], result["demo"]) == ("completed", True)
    assert git(path, "diff", "--stat", f"main..{result['branch']}") != ""
    assert "plain" in said
    assert "isolation: plain" in told
    assert "demo model" in told
