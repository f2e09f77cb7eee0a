"""The skills that a repository carries for its agents, and what is wrong with them.

The agent finds them by itself; but it passes over a broken one in silence.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

PLACES: Final = (".claude/skills", ".agents/skills", ".opencode/skill", ".opencode/skills")
REQUIRED: Final = ("name", "description")
HEAD_CHARS = 8_000


@dataclass(frozen=True, slots=True)
class Skills:
    names: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def carried_by(repository: Path) -> Skills:
    directories = sorted(
        entry for place in PLACES for entry in (repository / place).glob("*") if entry.is_dir()
    )
    checked = [(directory, _problem(directory / "SKILL.md")) for directory in directories]
    return Skills(
        names=tuple(directory.name for directory, problem in checked if not problem),
        problems=tuple(
            f"skill {directory.name!r} {problem}" for directory, problem in checked if problem
        ),
    )


def _problem(file: Path) -> str | None:
    try:
        head = file.read_text(encoding="utf-8", errors="replace")[:HEAD_CHARS]
    except OSError:
        return "has no SKILL.md"
    lines = head.splitlines()
    if lines[:1] != ["---"]:
        return "has no front matter"
    fields = {line.partition(":")[0].strip() for line in lines[1:]}
    missing = [name for name in REQUIRED if name not in fields]
    return f"has no {missing[0]}" if missing else None
