"""Building the template, by the real SDK against a stand-in for E2B's routes."""

from collections.abc import Generator
from pathlib import Path

import pytest
from e2b import E2B, AuthenticationException, BuildException

from infra.sandbox_template.contents import CONTENTS
from infra.sandbox_template.context import context, version
from infra.sandbox_template.inspection import Finding, State
from infra.sandbox_template.release import NotWhole, Order, Released, release
from shared.adapters.e2b_sandboxes.provider import sized
from shared.app.ports.sandboxes import SandboxSize
from tests.fakes.template_builds import API_KEY, BUILD, TemplateBuilds


@pytest.fixture
def builds() -> Generator[TemplateBuilds]:
    with TemplateBuilds().running() as running:
        yield running
        assert running.breaches == []


@pytest.fixture(scope="module")
def files() -> Path:
    return context()


def _client(builds: TemplateBuilds, key: str = API_KEY) -> E2B:
    return E2B(api_key=key, api_url=builds.url, retries=0)


class Inspector:
    def __init__(self, state: State = "as defined") -> None:
        self.findings = (
            *(Finding(content, "as defined") for content in CONTENTS[1:]),
            Finding(CONTENTS[0], state, "what it said"),
        )
        self.templates: list[str] = []

    def __call__(self, client: E2B, template: str) -> tuple[Finding, ...]:
        self.templates.append(template)
        return self.findings


def test_a_build_is_tried_under_its_own_tag_before_the_name_means_it(
    builds: TemplateBuilds, files: Path
):
    order = Order(name="outboard", tags=("stable",), cpus=4, memory_mib=8192)
    inspector, said = Inspector(), list[str]()

    released = release(_client(builds), files, order, said.append, inspector)

    tagged = f"outboard-4cpu-8192mib:{version(files)}"
    assert released == Released(BUILD, tagged)
    assert builds.asked == {"name": tagged, "cpuCount": 4, "memoryMB": 8192}
    assert inspector.templates == [tagged]
    assert builds.tagged == {tagged: ("default", "stable")}
    told = [line.partition(" ")[2] for line in said]
    assert [line for line in told if line in builds.log] == list(builds.log)


@pytest.mark.parametrize("cpus", [None, 4])
@pytest.mark.parametrize("memory", [None, 8192])
def test_a_size_is_built_under_the_name_that_its_sandboxes_are_asked_for(
    cpus: int | None, memory: int | None
):
    order = Order(name="outboard", cpus=cpus, memory_mib=memory)

    assert order.template == sized("outboard", SandboxSize(cpu_cores=cpus, memory_mib=memory))


def test_what_is_sent_is_the_recipe_with_its_files(builds: TemplateBuilds, files: Path):
    release(_client(builds), files, Order(name="outboard"), lambda _: None, Inspector())

    steps = builds.started["steps"]
    assert (builds.asked["cpuCount"], builds.asked["memoryMB"]) == (2, 4096)
    sources = [step["args"][0] for step in steps if step["type"] == "COPY"]
    sent = frozenset[str]().union(*builds.uploads.values())
    assert builds.started["fromImage"] == "python:3.12.13-bookworm"
    assert sorted(sources) == sorted(path.name for path in files.iterdir())
    assert {"tools/package-lock.json", "agents/package-lock.json", "claude.txt"} <= sent
    assert "code/sandbox_bridge/__main__.py" in sent
    assert not any("__pycache__" in name for name in sent)


@pytest.mark.parametrize("state", ["missing", "different"])
def test_a_build_that_lacks_something_is_not_used(
    builds: TemplateBuilds, files: Path, state: State
):
    with pytest.raises(NotWhole, match=CONTENTS[0].name):
        release(_client(builds), files, Order(name="outboard"), lambda _: None, Inspector(state))

    assert builds.tagged == {}


def test_a_failed_build_says_what_failed_and_is_not_tried(files: Path):
    inspector, said = Inspector(), list[str]()

    with (
        TemplateBuilds(failure="npm ci: exit status 1").running() as builds,
        pytest.raises(BuildException, match="npm ci"),
    ):
        release(_client(builds), files, Order(name="outboard"), said.append, inspector)

    assert inspector.templates == []
    assert builds.tagged == {}
    assert any(line.endswith("step 2") for line in said)


def test_another_teams_key_builds_nothing(builds: TemplateBuilds, files: Path):
    client = _client(builds, key="not-the-key")

    with pytest.raises(AuthenticationException):
        release(client, files, Order(name="outboard"), lambda _: None, Inspector())

    assert builds.asked == {}
