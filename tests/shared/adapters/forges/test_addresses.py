"""Where we go for somebody, and where we do not: private networks, by whatever name."""

import pytest

from shared.adapters.addresses import public
from shared.adapters.forges import KnownForges, forges
from shared.adapters.plain_git import PlainGit
from shared.domain.errors import Invalid
from shared.settings import Settings
from tests.build import NOW
from tests.fakes.vendors import FakeSecrets

PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_a_private_network_is_not_public(address: str):
    assert not public(address)


@pytest.mark.parametrize("address", ["140.82.121.4", "2606:50c0:8000::153", "64:ff9b::8c52:7904"])
def test_one_of_the_internet_is(address: str):
    assert public(address)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://github.com/team/tool",
        "ssh://git@github.com/team/tool",
        "https://127.0.0.1/x.git",
        "https://localhost:8443/x.git",
        "https://[::1]/x.git",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/x.git",
        "https://10.0.0.7/x.git",
        "http://127.0.0.1:4702/x.git",
    ],
)
def test_a_deployment_in_the_cloud_refuses(url: str):
    with pytest.raises(Invalid):
        forges(Settings(), FakeSecrets(), lambda: NOW).of(url)


@pytest.mark.parametrize(
    "address", [["10.0.0.7"], ["140.82.121.4", "10.0.0.7"], ["::ffff:10.0.0.7"]]
)
def test_a_name_is_where_it_leads_to(address: list[str]):
    git = PlainGit(loopback=False, found_by=lambda _host, _port: address)

    with pytest.raises(Invalid):
        git.repository("https://git.example.com/x.git")


def test_a_name_that_leads_inside_only_when_we_connect_is_refused_then():
    answers = iter([["140.82.121.4"], ["10.0.0.7"]])
    git = PlainGit(loopback=False, found_by=lambda _host, _port: next(answers))
    url = "https://git.example.com/x.git"

    forge = KnownForges([], git).of(url)

    with pytest.raises(Invalid):
        forge.repository(url)


@pytest.mark.parametrize("url", ["http://git.example.com/x.git", "http://169.254.169.254/latest"])
def test_one_machine_speaks_plain_http_to_itself_alone(url: str):
    with pytest.raises(Invalid):
        forges(Settings(loopback=True), FakeSecrets(), lambda: NOW).of(url)


def test_each_host_has_its_own_adapter():
    known = forges(
        Settings(loopback=True, gitlab_url="https://git.example.com/lab"),
        FakeSecrets(),
        lambda: NOW,
    )

    kinds = {
        "https://github.com/team/tool": "github",
        "https://GitHub.com/team/tool.git": "github",
        "https://git.example.com/lab/group/sub/tool": "gitlab",
        "https://git.example.com/other/tool": "git",
        "http://127.0.0.1:4702/x.git": "git",
    }
    assert {url: known.of(url).kind for url in kinds} == kinds
    assert [forge.kind for forge in known.all()] == ["github", "gitlab"]
