"""Looking into a sandbox, in a real one of the local host."""

from collections.abc import Iterator

import pytest

from infra.sandbox_template import inspection
from infra.sandbox_template.contents import CONTENTS, Content
from infra.sandbox_template.inspection import Finding
from tests.infra.local.sandbox_host.hosting import Host, hosting

pytestmark = pytest.mark.sandbox

SHELL = Content("shell", "echo 'shell 5.2'", "5.")
OLD = Content("old", "printf 'old 1.0\\nbuilt long ago\\n'", "2.")
ABSENT = Content("absent", "no-such-program --version", "1.")
BROKEN = Content(
    "broken", "echo 'Traceback (most recent)\n  ...\nNoSuchThing: x' >&2; exit 1", "1."
)


@pytest.fixture(scope="module", params=[None, "plain"], ids=["fenced", "plain"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    with hosting(request.param) as running:
        yield running


def test_each_thing_is_as_defined_different_or_missing(host: Host):
    sandbox = host.sandbox()

    found = inspection.look(sandbox, (SHELL, OLD, ABSENT, BROKEN))

    assert [one.state for one in found] == ["as defined", "different", "missing", "different"]
    assert str(found[1]) == "different   old: 'old 1.0' in place of '2.'"
    assert found[3].said == "NoSuchThing: x"
    assert inspection.summary(found) == "1 of 4 as defined; not so: old, absent, broken"
    sandbox.kill()


def test_a_sandbox_for_looking_into_is_gone_afterwards(host: Host):
    found = inspection.inspect(host.client, "outboard")

    by_name = {one.content.name: one for one in found}
    assert by_name.keys() == {content.name for content in CONTENTS}
    assert by_name["git"].said.startswith("git version ")
    assert by_name["OpenCode"].state == "missing"
    assert host.client.Sandbox.list().next_items() == []


def test_nothing_missing_is_a_plain_count():
    assert inspection.summary([Finding(SHELL, "as defined", "shell 5.2")]) == "1 of 1 as defined"
