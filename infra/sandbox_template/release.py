"""Builds the template at E2B and has new sandboxes made from it, once one was seen to be whole.

A build gets a tag of its own first. Only when a sandbox of it holds what it has to is the name's
`default` tag moved to it, from which every sandbox is made whose template names no tag.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2b import E2B, LogEntry

from infra.sandbox_template import inspection
from infra.sandbox_template.context import version
from infra.sandbox_template.inspection import Finding
from infra.sandbox_template.recipe import template

DEFAULT_TAG = "default"


class NotWhole(Exception):
    """A sandbox of the new build lacks something; the name means what it did before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """E2B fixes processors and memory at the build: other resources are another name."""

    name: str
    tags: Sequence[str] = ()
    """Besides the build's own and the default one."""
    cpus: int = 2
    memory_mib: int = 4096


@dataclass(frozen=True, slots=True)
class Released:
    build: str
    tagged: str
    """The name with the tag that never moves."""


def release(
    client: E2B,
    files: Path,
    order: Order,
    say: Callable[[str], None],
    inspect: Callable[[E2B, str], Sequence[Finding]] = inspection.inspect,
) -> Released:
    """Raises `NotWhole`, or what the SDK does."""
    tagged = f"{order.name}:{version(files)}"
    built = client.Template.build(
        template(files),
        tagged,
        cpu_count=order.cpus,
        memory_mb=order.memory_mib,
        on_build_logs=lambda entry: say(_line(entry)),
    )
    say(f"starting the first sandbox of {tagged}, which is slow, and looking into it")
    findings = inspect(client, tagged)
    for found in findings:
        say(str(found))
    if any(found.state != "as defined" for found in findings):
        raise NotWhole(f"{tagged} is not what it should be: {inspection.summary(findings)}")
    client.Template.assign_tags(tagged, [DEFAULT_TAG, *order.tags])
    return Released(built.build_id, tagged)


def _line(entry: LogEntry) -> str:
    return f"{entry.timestamp:%H:%M:%S} {entry.message.rstrip()}"
