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
CPUS, MEMORY_MIB = 2, 4096
"""Of a template that is of no chosen size."""


class NotWhole(Exception):
    """A sandbox of the new build lacks something; the name means what it did before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """E2B fixes processors and memory at the build, so a chosen size is a template of its own."""

    name: str
    tags: Sequence[str] = ()
    """Besides the build's own and the default one."""
    cpus: int | None = None
    memory_mib: int | None = None

    @property
    def template(self) -> str:
        """As the sandboxes of this size are asked for."""
        cpus = "" if self.cpus is None else f"-{self.cpus}cpu"
        memory = "" if self.memory_mib is None else f"-{self.memory_mib}mib"
        return f"{self.name}{cpus}{memory}"


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
    tagged = f"{order.template}:{version(files)}"
    built = client.Template.build(
        template(files),
        tagged,
        cpu_count=order.cpus or CPUS,
        memory_mb=order.memory_mib or MEMORY_MIB,
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
