import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from sandbox_bridge.boot.tunnels import PATIENCE, Tunnels
from tests.sandbox_bridge.repositories import put

URLS = {"3000": "https://3000-sb.example.com", "8000": "https://8000-sb.example.com"}
WHOLE = (
    "TUNNEL_SANDBOX_ID=sb\n"
    "TUNNEL_3000=https://3000-sb.example.com\n"
    "TUNNEL_8000=https://8000-sb.example.com\n"
)
SHORT = timedelta(milliseconds=20)


def tunnels(
    workspace: Path,
    ports: tuple[int, ...] = (3000, 8000),
    urls: dict[str, str] = URLS,
    patience: timedelta = SHORT,
) -> Tunnels:
    return Tunnels(workspace=workspace, sandbox="sb", ports=ports, urls=urls, patience=patience)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / ".tunnels.env"


def test_the_id_comes_first_and_then_each_port_that_was_asked_for(tmp_path: Path, file: Path):
    urls = {**URLS, "9999": "https://not-asked-for.example.com"}

    assert tunnels(tmp_path, urls=urls).prepare() is None

    assert file.read_text() == WHOLE
    assert asyncio.run(tunnels(tmp_path).wait()) is None


@pytest.mark.parametrize("ports", [(), (3000, 8000)])
def test_the_file_of_another_sandbox_is_deleted(tmp_path: Path, file: Path, ports: tuple[int, ...]):
    file.write_text(WHOLE.replace("=sb", "=other"))

    assert tunnels(tmp_path, ports, urls={}).prepare() is None

    assert not file.exists()


def test_a_file_that_somebody_wrote_for_this_sandbox_is_left(tmp_path: Path, file: Path):
    file.write_text(WHOLE)

    assert tunnels(tmp_path, urls={}).prepare() is None

    assert file.read_text() == WHOLE


def test_without_ports_there_is_no_file(tmp_path: Path, file: Path):
    assert tunnels(tmp_path, ()).prepare() is None

    assert not file.exists()
    assert asyncio.run(tunnels(tmp_path, ()).wait()) is None


def test_an_address_that_is_missing_is_waited_for(tmp_path: Path, file: Path):
    async def scenario() -> str | None:
        waiting = asyncio.create_task(tunnels(tmp_path, patience=PATIENCE).wait())
        for sandbox in ("other", "sb"):
            await asyncio.sleep(0)
            assert not waiting.done()
            put(tmp_path, {file.name: WHOLE.replace("=sb", f"={sandbox}")})
        return await waiting

    assert asyncio.run(scenario()) is None


def test_one_that_nobody_tells_is_a_warning(tmp_path: Path, file: Path):
    some = tunnels(tmp_path, urls={"3000": URLS["3000"]})

    assert some.prepare() is None

    assert not file.exists()
    expected = "no address was told in time for the tunnels to 3000, 8000"
    assert asyncio.run(some.wait()) == expected


def test_what_is_in_the_way_of_the_file_is_a_warning(tmp_path: Path, file: Path):
    file.mkdir()

    warning = tunnels(tmp_path).prepare()

    assert warning == ".tunnels.env could not be written: Is a directory"


def test_a_link_in_its_place_leads_nowhere(tmp_path: Path, file: Path):
    target = tmp_path / "checkout.txt"
    target.write_text("mine")
    file.symlink_to(target)

    tunnels(tmp_path).prepare()

    assert (target.read_text(), file.is_symlink()) == ("mine", False)


def test_it_is_as_patient_as_it_says():
    assert timedelta(seconds=30) == PATIENCE
