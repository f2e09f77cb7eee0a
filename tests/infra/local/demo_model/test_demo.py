"""The small real edit that the demo makes by itself, wherever it is."""

import subprocess
from pathlib import Path

import pytest

from infra.local.demo_model.demo import NOTES, WHO
from tests.infra.local.demo_model.repository import CLAUDE, OPENCODE, Agent

PROMPT = "add a --version flag and a test for it"
CLI = """import argparse


def main():
    parser = argparse.ArgumentParser(
        prog="greet",
        description="Greets (politely).",
    )
    parser.add_argument("name")
    print("hello", parser.parse_args().name)


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=T", "-c", "user.email=t@example.com")
    command = ["git", *identity, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def commit(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "start")


@pytest.mark.parametrize("tools", [OPENCODE, CLAUDE])
def test_a_command_line_gets_the_flag_and_a_test_that_passes(
    root: Path, tools: dict[str, list[str]]
):
    commit(root, {"greet.py": CLI, "tests/test_nothing.py": ""})

    summary = Agent(root, tools).do(PROMPT)

    assert git(root, "status", "--short") == " M greet.py\n?? tests/test_version_flag.py\n"
    command = ["python3", "greet.py", "--version"]
    assert subprocess.run(command, cwd=root, check=True, capture_output=True).stdout == b"0.1.0\n"
    assert summary.startswith("`greet.py` takes `--version` now. ")
    assert "`tests/test_version_flag.py` tests it and passes." in summary
    assert WHO in summary


def test_the_flag_is_there_already_on_the_second_time(root: Path):
    commit(root, {"greet.py": CLI})
    Agent(root).do(PROMPT)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "flag")

    Agent(root).do(PROMPT)

    assert git(root, "status", "--short") == f"?? {NOTES}\n"


def test_another_flag_is_a_switch_and_a_test_only_comes_when_asked_for(root: Path):
    commit(root, {"greet.py": CLI})

    Agent(root).do("Please add --dry-run.")

    program = (root / "greet.py").read_text()
    assert '    parser.add_argument("--dry-run", action="store_true")\n' in program
    assert git(root, "status", "--short") == " M greet.py\n"


@pytest.mark.parametrize("prompt", [PROMPT, 'Fix the bug in `$(rm -rf x)`\'s "quotes"', "", "\n"])
def test_elsewhere_it_takes_note_of_what_it_was_asked(root: Path, prompt: str):
    agent = Agent(root)

    first = agent.do(prompt)
    second = agent.do(prompt)

    entry = f"- {prompt.strip() or '(nothing)'}\n"
    assert (root / NOTES).read_text().endswith(f"note.\n\n{entry}{entry}")
    assert git(root, "status", "--short") == f"?? {NOTES}\n"
    assert WHO in first
    assert NOTES in second


def test_a_committed_note_is_added_to(root: Path):
    commit(root, {NOTES: "# Ours\n"})

    Agent(root).do("Do more.")

    assert (root / NOTES).read_text() == "# Ours\n- Do more.\n"


def test_of_several_repositories_in_a_workspace_the_first_gets_the_note(tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init", "--quiet")

    Agent(tmp_path).do("Do it.")

    assert git(tmp_path / "one", "status", "--short") == f"?? {NOTES}\n"
    assert git(tmp_path / "two", "status", "--short") == ""


def test_outside_a_repository_it_still_ends_well(tmp_path: Path):
    assert WHO in Agent(tmp_path).do(PROMPT)
    assert (tmp_path / NOTES).exists()


def test_a_parser_that_can_t_be_edited_safely_is_left(root: Path):
    twice = CLI.replace("def main", "def other") + CLI
    commit(root, {"twice.py": twice, "unclosed.py": "parser = ArgumentParser("})

    Agent(root).do("add --odd")

    assert git(root, "status", "--short").splitlines() == [f"?? {NOTES}"]


def test_without_tools_that_it_knows_it_says_so(tmp_path: Path):
    assert "changed nothing" in Agent(tmp_path, {"teleport": ["where"]}).do(PROMPT)
