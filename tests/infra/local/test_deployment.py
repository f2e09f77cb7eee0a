from pathlib import Path

import pytest

from infra import names
from infra.local import deployment, models
from infra.local.place import Place
from infra.local.refusal import Refusal

DEMO = models.from_environment({})
REAL = models.from_environment({"ANTHROPIC_API_KEY": "k"})


def _parameters(here: Place, available: models.Models = DEMO, **environment: str):
    return deployment.parameters(here, available, environment)


def test_everything_is_told_to_be_on_this_machine(tmp_path: Path):
    parameters = _parameters(Place(tmp_path, 5000))

    assert parameters["ExecuteApiBase"] == "127.0.0.1:5000/_aws/execute-api"
    assert parameters["E2BApiUrl"] == parameters["E2BSandboxUrl"] == "http://127.0.0.1:5001"
    assert parameters["DemoModelUrl"] == "http://127.0.0.1:5003"


def test_there_is_no_demo_model_beside_a_real_one(tmp_path: Path):
    assert _parameters(Place(tmp_path, 5000), REAL)["DemoModelUrl"] == ""


def test_durations_are_chosen_by_the_environment(tmp_path: Path):
    parameters = _parameters(
        Place(tmp_path, 5000), SANDBOX_INACTIVITY_TIMEOUT_MS="1500", SNAPSHOT_INTERVAL_MS="2500"
    )

    assert parameters["SandboxInactivityTimeoutMs"] == "1500"
    assert parameters["SnapshotIntervalMs"] == "2500"
    assert parameters["ConnectWatchdogMs"] == "240000"


def test_who_may_sign_in_by_way_of_github_is_chosen_by_the_environment(tmp_path: Path):
    parameters = _parameters(
        Place(tmp_path, 5000), GITHUB_CLIENT_ID="client-1", SIGN_IN_USERS="grace"
    )

    assert (parameters["GithubClientId"], parameters["SignInUsers"]) == ("client-1", "grace")
    assert parameters["GithubUrl"] == "https://github.com"
    assert deployment.sign_in_secrets({"GITHUB_CLIENT_SECRET": "s", "PATH": "/bin"}) == {
        "GITHUB_CLIENT_SECRET": "s"
    }
    assert deployment.sign_in_secrets({}) == {}


def test_a_duration_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(Refusal, match="SANDBOX_BOOT_TIMEOUT_MS is 'soon'"):
        _parameters(Place(tmp_path, 5000), SANDBOX_BOOT_TIMEOUT_MS="soon")


def test_every_parameter_is_one_of_the_template(tmp_path: Path):
    known = {names.EXECUTE_API_BASE, *map(names.parameter, names.CHOSEN)}

    assert _parameters(Place(tmp_path, 5000)).keys() <= known


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path):
    first = deployment.key(tmp_path / "key")

    assert deployment.key(tmp_path / "key") == first
    assert len(first) > 30
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("ada", "ada"),
        ("Ada.Lovelace", "ada.lovelace"),
        ("DOMAIN\\ada", "domain-ada"),
        ("-root-", "root"),
        ("ädá", "d"),
        ("мария", "owner"),
        ("x" * 60, "x" * 39),
    ],
)
def test_a_login_name_becomes_a_name_that_a_user_may_have(monkeypatch, login: str, name: str):
    monkeypatch.setenv("LOGNAME", login)

    assert deployment.user_name() == name
