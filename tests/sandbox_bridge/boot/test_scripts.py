import asyncio
import os
from pathlib import Path

import pytest

from sandbox_bridge.boot.scripts import Ran, run_script
from sandbox_bridge.redaction import Redactor
from tests.sandbox_bridge.eventually import eventually

SECRET = "s3cret-value"


def ran(tmp_path: Path, text: str, *, executable: bool = True, until: Path | None = None) -> Ran:
    script = tmp_path / "script.sh"
    script.write_text(text)
    script.chmod(0o755 if executable else 0o644)
    environment = {"PATH": os.environ["PATH"], "MY_TOKEN": SECRET}

    async def run() -> Ran:
        result = await run_script(
            script, within=tmp_path, environment=environment, redact=Redactor(environment)
        )
        if until:
            await eventually(until.exists)
        return result

    return asyncio.run(run())


def test_a_script_runs_in_its_repository_and_says_how_it_ended(tmp_path: Path):
    assert ran(tmp_path, "#!/bin/sh\npwd\nexit 3\n") == Ran(3, str(tmp_path))


@pytest.mark.parametrize(
    ("text", "executable"),
    [("[[ 1 == 1 ]] && echo bash", False), ("[[ 1 == 1 ]] && echo bash", True)],
)
def test_a_script_that_names_no_program_runs_with_bash(tmp_path: Path, text: str, executable: bool):
    assert ran(tmp_path, text, executable=executable) == Ran(0, "bash")


def test_both_of_its_outputs_are_kept_and_redacted(tmp_path: Path):
    text = "#!/bin/sh\necho out\necho err $MY_TOKEN >&2\n"

    assert ran(tmp_path, text).tail == "out\nerr [redacted]"


def test_its_input_is_empty(tmp_path: Path):
    assert ran(tmp_path, "#!/bin/sh\ncat\necho read\n").tail == "read"


def test_a_service_that_keeps_its_output_open_holds_up_nothing(tmp_path: Path):
    service = tmp_path / "alive"
    text = f"""#!/bin/bash
    (for n in $(seq 100); do echo noise; sleep 0.05; done; touch {tmp_path}/done) &
    echo $! > {service}
    echo started
    """

    result = ran(tmp_path, text)

    assert result.status == 0
    assert "started" in result.tail
    pid = int(service.read_text())
    os.kill(pid, 0)  # it lives, and its writes go on
    os.kill(pid, 9)


def test_a_service_can_go_on_writing_after_the_script_has_ended(tmp_path: Path):
    text = f"""#!/bin/bash
    (for n in $(seq 3); do sleep 0.1; head -c 100000 /dev/zero || exit 1; done;
     touch {tmp_path}/written) &
    """

    result = ran(tmp_path, text, until=tmp_path / "written")

    assert result.status == 0


def test_of_much_output_the_end_is_kept(tmp_path: Path):
    text = "#!/bin/bash\nfor n in $(seq 20000); do echo line $n; done; exit 1\n"

    result = ran(tmp_path, text)

    assert result.tail.splitlines()[-1] == "line 20000"
    assert len(result.tail.splitlines()) == 60


def test_a_secret_at_the_cut_leaves_no_half(tmp_path: Path):
    # 64 KiB are kept of this; wherever they begin, no end of a secret may show.
    text = "#!/bin/bash\nfor n in $(seq 9000); do printf '%s' $MY_TOKEN; done\n"

    assert "alue" not in ran(tmp_path, text).tail


def test_a_signal_shows_as_a_negative_status(tmp_path: Path):
    assert ran(tmp_path, "#!/bin/bash\nkill -9 $$\n").status == -9


def test_a_boot_that_is_cancelled_takes_the_script_with_it(tmp_path: Path):
    script = tmp_path / "script.sh"
    pid_file = tmp_path / "pid"
    script.write_text(f"echo $$ > {pid_file}; sleep 60")
    environment = {"PATH": os.environ["PATH"]}

    async def cancelled() -> None:
        task = asyncio.create_task(
            run_script(script, within=tmp_path, environment=environment, redact=Redactor({}))
        )
        await eventually(lambda: pid_file.exists() and pid_file.read_text())
        task.cancel()
        await asyncio.wait({task})

    asyncio.run(cancelled())

    assert not Path(f"/proc/{int(pid_file.read_text())}").exists()
