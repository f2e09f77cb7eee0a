"""What a template's links make sandboxes see, and what they never may."""

from pathlib import Path

import pytest

from infra.local.sandbox_host.visible import UnfitTemplate, outside_paths


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def template(tmp_path: Path) -> Path:
    (tmp_path / "template" / "bin").mkdir(parents=True)
    return tmp_path / "template"


def _python(prefix: Path) -> Path:
    (prefix / "bin").mkdir(parents=True)
    (prefix / "lib/python3.13").mkdir(parents=True)
    (prefix / "lib/python3.13/os.py").touch()
    (prefix / "bin/python3.13").touch()
    return prefix / "bin/python3.13"


def test_an_interpreter_is_shown_with_its_library_and_nothing_around_it(home: Path, template: Path):
    interpreter = _python(home / ".pyenv/versions/3.13")

    assert outside_paths(template, interpreter, (home,)) == (home / ".pyenv/versions/3.13",)


def test_a_virtual_environment_leads_to_its_interpreter_by_link_and_by_configuration(
    home: Path, template: Path
):
    interpreter = _python(home / "python")
    alias = home / "alias"
    alias.symlink_to("python")
    (template / "venv/bin").mkdir(parents=True)
    (template / "venv/bin/python").symlink_to(alias / "bin/python3.13")
    (template / "venv/pyvenv.cfg").write_text(f"home = {home}/other/bin\n")
    _python(home / "other")

    shown = outside_paths(template, interpreter, (home,))

    assert shown == (home / "alias", home / "other", home / "python")


def test_a_program_in_somebodys_home_is_shown_alone(home: Path, template: Path):
    (home / "bin").mkdir()
    (home / "bin/rg").touch()
    (template / "bin/rg").symlink_to(home / "bin/rg")

    shown = outside_paths(template, Path("/usr/bin/python3"), (home,))

    assert shown == (home / "bin/rg",)


def test_a_node_package_is_shown_whole(home: Path, template: Path):
    package = home / "lib/node_modules/@scope/tool"
    (package / "bin").mkdir(parents=True)
    (package / "bin/tool.js").touch()
    (template / "bin/tool").symlink_to(package / "bin/tool.js")

    assert outside_paths(template, Path("/usr/bin/python3"), (home,)) == (package,)


def test_what_is_inside_or_of_the_system_needs_nothing(home: Path, template: Path):
    (template / "bin/git").symlink_to("/usr/bin/git")
    (template / "bin/one").touch()
    (template / "bin/other").symlink_to("one")

    assert outside_paths(template, Path("/usr/bin/python3"), (home,)) == ()


def test_every_step_of_a_chain_of_links_is_shown(home: Path, template: Path):
    (home / "last").touch()
    (home / "first").symlink_to("last")
    (template / "bin/tool").symlink_to(home / "first")

    shown = outside_paths(template, Path("/usr/bin/python3"), (home / "private",))

    assert shown == (home / "first", home / "last")


@pytest.mark.parametrize("target", ["home", "home/..", "/"])
def test_a_link_to_somebodys_home_or_above_is_refused(home: Path, template: Path, target: str):
    (template / "bin/everything").symlink_to(home.parent / target)

    with pytest.raises(UnfitTemplate):
        outside_paths(template, Path("/usr/bin/python3"), (home,))


def test_a_link_that_would_dangle_in_a_sandbox_is_refused(home: Path, template: Path):
    (template / "bin/one").touch()
    (template / "bin/other").symlink_to(template / "bin/one")

    with pytest.raises(UnfitTemplate, match="relative"):
        outside_paths(template, Path("/usr/bin/python3"), (home,))


def test_links_in_a_circle_end(home: Path, template: Path):
    (home / "a").symlink_to("b")
    (home / "b").symlink_to("a")
    (template / "bin/loop").symlink_to(home / "a")

    assert outside_paths(template, Path("/usr/bin/python3"), ()) == (home / "a", home / "b")
