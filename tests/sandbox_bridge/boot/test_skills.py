from pathlib import Path

import pytest

from sandbox_bridge.boot.skills import PLACES, Skills, carried_by


def skill(repository: Path, where: str, name: str, text: str) -> None:
    directory = repository / where / name
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_text(text)


@pytest.mark.parametrize("place", PLACES)
def test_a_skill_is_found_in_each_of_the_usual_places(tmp_path: Path, place: str):
    skill(tmp_path, place, "deploy", "---\nname: deploy\ndescription: ships it\n---\nDo it.")

    assert carried_by(tmp_path) == Skills(names=("deploy",))


def test_a_broken_skill_is_a_problem_that_is_named(tmp_path: Path):
    skill(tmp_path, ".claude/skills", "a", "no front matter")
    skill(tmp_path, ".claude/skills", "b", "---\nname: b\n---\n")
    (tmp_path / ".claude/skills/c").mkdir()

    assert carried_by(tmp_path) == Skills(
        problems=(
            "skill 'a' has no front matter",
            "skill 'b' has no description",
            "skill 'c' has no SKILL.md",
        )
    )


def test_a_repository_without_skills_has_none(tmp_path: Path):
    assert carried_by(tmp_path) == Skills()
