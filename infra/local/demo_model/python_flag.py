"""Where and how a flag goes into a Python program that reads its arguments with argparse."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

_FLAG: Final = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]{1,30})\b")
_PARSER: Final = re.compile(r"^(\s*)(\w+)\s*=\s*(?:argparse\.)?ArgumentParser\(")

_TEST: Final = '''"""The command line takes --{flag}."""

import pathlib
import subprocess
import sys
import unittest

PROGRAM = pathlib.Path(__file__).resolve(){parents} / "{program}"


class FlagTest(unittest.TestCase):
    def test_the_help_names_the_flag(self):
        asked = [sys.executable, str(PROGRAM), "--help"]
        told = subprocess.run(asked, capture_output=True, text=True)
        self.assertIn("--{flag}", told.stdout)


if __name__ == "__main__":
    unittest.main()
'''


@dataclass(frozen=True, slots=True)
class Edit:
    old: str
    new: str


def wanted(prompt: str) -> str | None:
    """The first `--flag` that a prompt speaks of, without its dashes."""
    match = _FLAG.search(prompt)
    return match.group(1) if match else None


def edit(lines: list[str], flag: str) -> Edit | None:
    """Adds the flag behind the parser; None where that can't be done safely."""
    if f'"--{flag}"' in "\n".join(lines):
        return None
    for at, line in enumerate(lines):
        match = _PARSER.match(line)
        if match:
            return _behind(lines, at, indent=match.group(1), parser=match.group(2), flag=flag)
    return None


def test_file(program: str, flag: str, taken: frozenset[str]) -> tuple[str, str]:
    """Path and text of a test for the flag; the path is one that nobody has."""
    folder = "tests/" if any(path.startswith("tests/") for path in taken) else ""
    stem = f"{folder}test_{flag.replace('-', '_')}_flag"
    numbered = (f"{stem}{number}.py" for number in ("", *range(2, len(taken) + 3)))
    path = next(path for path in numbered if path not in taken)
    parents = ".parent" * len(PurePosixPath(path).parts)
    return path, _TEST.format(flag=flag, parents=parents, program=program)


def _behind(lines: list[str], start: int, *, indent: str, parser: str, flag: str) -> Edit | None:
    end = _end_of_call(lines, start)
    old = "\n".join(lines[start : end + 1])
    if end == len(lines) or "\n".join(lines).count(old) > 1:
        return None
    how = 'action="version", version="0.1.0"' if flag == "version" else 'action="store_true"'
    return Edit(old, f'{old}\n{indent}{parser}.add_argument("--{flag}", {how})')


def _end_of_call(lines: list[str], start: int) -> int:
    """The line where the parentheses opened at `start` are closed again."""
    depth = 0
    for at in range(start, len(lines)):
        depth += lines[at].count("(") - lines[at].count(")")
        if depth <= 0:
            return at
    return len(lines)
