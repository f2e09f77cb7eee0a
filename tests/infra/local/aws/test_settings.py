"""The command line and the environment, read once."""

from datetime import timedelta
from pathlib import Path

from infra.local.aws.settings import Settings, from_command_line


def test_a_state_directory_is_enough(tmp_path: Path) -> None:
    settings = from_command_line(["--state", str(tmp_path)], {})

    assert settings == Settings(
        port=0,
        state=tmp_path,
        access_key_file=tmp_path / "access-key.json",
        checkout=None,
        socket_idle=timedelta(minutes=10),
        socket_lifetime=timedelta(hours=2),
    )


def test_socket_limits_come_from_flag_or_environment(tmp_path: Path) -> None:
    environment = {"OUTBOARD_SOCKET_IDLE_SECONDS": "3", "OUTBOARD_SOCKET_LIFETIME_SECONDS": "9"}

    settings = from_command_line(
        ["--state", str(tmp_path), "--socket-idle-seconds", "1.5"], environment
    )

    assert settings.socket_idle == timedelta(seconds=1.5)
    assert settings.socket_lifetime == timedelta(seconds=9)
