"""How E2B is asked: for how long one waits, and in which words."""

import hashlib
import math
from dataclasses import dataclass
from datetime import timedelta

from shared.app.ports.sandboxes import SandboxSize


@dataclass(frozen=True, slots=True)
class Patience:
    """For each kind of request, with its repetitions, in the SDK's seconds."""

    create: float = 90
    resume: float = 60
    change: float = 30
    read: float = 15
    snapshot: float = 180


def sized(template: str, size: SandboxSize) -> str:
    """E2B can't be asked for a size when creating: a template has one, which its name says."""
    cpu = "" if size.cpu_cores is None else f"-{size.cpu_cores}cpu"
    memory = "" if size.memory_mib is None else f"-{size.memory_mib}mib"
    return f"{template}{cpu}{memory}"


def without_team_and_tag(name: str) -> str:
    return name.rpartition("/")[2].partition(":")[0]


def seconds(time: timedelta) -> int:
    return max(1, math.ceil(time.total_seconds()))


def idempotency_key(key: str) -> str:
    """In the letters that every version of the API takes."""
    return hashlib.sha256(key.encode()).hexdigest()
