"""A repository to work on, and the work that is asked for: the same story in many tests."""

from pathlib import Path

from tests.browser.agent import Agent, Step, call, command
from tests.e2e.machine import Machine, repository

FLAGS = '''"""Prints a greeting."""

import argparse


def main() -> None:
    parser = argparse.ArgumentParser(prog="greet")
    parser.add_argument("name", nargs="?", default="world")
    given = parser.parse_args()
    print(f"hello, {given.name}")


if __name__ == "__main__":
    main()
'''
FILES = {"greet__py": FLAGS, "README__md": "# greet\n\nSays hello.\n"}

ASKED = "Add a --version flag and a test for it"
_AFTER = '    parser.add_argument("name", nargs="?", default="world")\n'
_TEST = """import subprocess
import sys


def test_it_says_its_version():
    said = subprocess.check_output([sys.executable, "greet.py", "--version"], text=True)

    assert said == "greet 1.0\\n"
"""
_SUMMARY = """`greet --version` prints the version now, and a test says so.

- **greet.py**: the flag is argparse's own `version` action
- **test_greet.py**: runs the program and reads what it prints

```python
parser.add_argument("--version", action="version", version="greet 1.0")
```

Nothing else has changed."""


def work() -> tuple[Step, ...]:
    """Looks, plans, edits, runs, and says what it did."""
    todos = [
        {"content": "Add the flag", "status": "in_progress", "priority": "high"},
        {"content": "Write a test", "status": "pending", "priority": "medium"},
    ]
    done = [each | {"status": "completed"} for each in todos]
    flag = '    parser.add_argument("--version", action="version", version="greet 1.0")\n'
    return (
        call("read", "I'll look at how flags are read first.", filePath="greet.py"),
        call("todowrite", todos=todos),
        call("edit", filePath="greet.py", oldString=_AFTER, newString=_AFTER + flag),
        call("write", filePath="test_greet.py", content=_TEST),
        command("python3 greet.py --version", "Try the flag"),
        call("todowrite", todos=done),
        {"text": _SUMMARY, "thinking": "The flag works, so only the summary is left."},
    )


def will_work(agent: Agent, *, waits_before: int | None = None) -> str:
    return agent.will(ASKED, *work(), waits_before=waits_before)


def tool(machine: Machine, path: Path) -> Path:
    """A repository with the program in it, which the home page offers."""
    repository(path, **FILES)
    machine.json("repo", "add", str(path))
    return path
