"""What lies ready before OpenCode starts: configuration, environment, packages, ids."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.harness.model_access import ModelAccess
from sandbox_bridge.harness.opencode.config import configuration, environment
from sandbox_bridge.harness.opencode.ids import message_id
from sandbox_bridge.harness.opencode.prefill import PLUGIN, hide, prefill
from sandbox_bridge.harness.opencode.pristine import pristine

KEYS = {"ANTHROPIC_API_KEY": "sk-a", "OPENAI_API_KEY": "sk-o"}


def configured(variables: dict[str, str]) -> dict[str, Any]:
    return configuration(ModelAccess.of(variables), Path("/template/plugin.js"))


def test_the_configuration_names_keys_and_holds_none():
    written = json.dumps(configured({**KEYS, "ANTHROPIC_BASE_URL": "http://proxy"}))

    assert "sk-" not in written
    assert "{env:ANTHROPIC_API_KEY}" in written
    assert "{env:OPENAI_API_KEY}" in written


def test_an_address_gets_the_version_that_opencode_wants_and_openai_s_is_left():
    providers = configured(
        {**KEYS, "ANTHROPIC_BASE_URL": "http://a/", "OPENAI_BASE_URL": "http://o"}
    )

    assert providers["provider"]["anthropic"]["options"]["baseURL"] == "http://a/v1"
    assert providers["provider"]["openai"]["options"]["baseURL"] == "http://o"
    assert providers["enabled_providers"] == ["anthropic", "openai"]


def test_a_model_without_a_key_is_asked_with_none():
    custom = configured({"OUTBOARD_MODEL": "q/m", "OPENAI_BASE_URL": "http://o/v1"})
    demo = configured({"OUTBOARD_DEMO_MODEL_URL": "http://d"})

    assert custom["provider"]["custom"]["options"] == {"apiKey": "none", "baseURL": "http://o/v1"}
    assert custom["small_model"] == "custom/q/m"
    assert demo["provider"]["demo"]["options"]["baseURL"] == "http://d/v1"
    assert list(demo["provider"]["demo"]["models"]) == ["scripted"]


def test_nobody_is_asked_anything_and_nothing_is_kept_of_large_repositories():
    written = configured(KEYS)

    assert written["permission"] == {"*": "allow", "question": "deny"}
    assert written["snapshot"] is False
    assert written["plugin"] == ["file:///template/plugin.js"]


def test_the_environment_is_what_was_given_with_the_keys_that_are_used():
    access = ModelAccess.of({"ANTHROPIC_API_KEY": "sk-a"})
    given = {"PATH": "/bin", "NO_PROXY": "corp", "HOME": "/elsewhere"}

    made = environment(given, access, home=Path("/h"), config=Path("/c"), password="pw")

    assert made["PATH"] == "/bin"
    assert made["HOME"] == "/h"
    assert made["ANTHROPIC_API_KEY"] == "sk-a"
    assert made["NO_PROXY"] == made["no_proxy"] == "corp,127.0.0.1,localhost"
    assert "OPENAI_API_KEY" not in made


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A node_modules as npm leaves it."""
    packages = tmp_path / "template" / "node_modules"
    for name in (PLUGIN, "zod", "opencode-linux-x64", ".bin"):
        (packages / name).mkdir(parents=True)
    return packages


def test_a_folder_gets_links_to_the_packages_and_a_lock_that_names_the_plugin(
    tmp_path: Path, packages: Path
):
    folder = tmp_path / "config"

    assert prefill(folder, packages)

    modules = folder / "node_modules"
    assert not modules.is_symlink()
    assert (modules / PLUGIN).readlink() == packages / PLUGIN
    assert sorted(entry.name for entry in modules.iterdir()) == ["@opencode-ai", "zod"]
    lock = json.loads((folder / "package-lock.json").read_text())
    assert PLUGIN in lock["packages"][""]["dependencies"]


def test_links_follow_a_template_that_moved(tmp_path: Path, packages: Path):
    folder, moved = tmp_path / "config", tmp_path / "newer" / "node_modules"
    prefill(folder, packages)
    moved.parent.mkdir()
    packages.rename(moved)

    assert prefill(folder, moved)
    assert (folder / "node_modules" / PLUGIN).resolve() == moved / PLUGIN


def test_what_a_repository_installed_itself_is_left_alone(tmp_path: Path, packages: Path):
    installed = tmp_path / "config" / "node_modules" / PLUGIN
    installed.mkdir(parents=True)

    assert prefill(tmp_path / "config", packages)
    assert not installed.is_symlink()
    assert not (tmp_path / "config" / "node_modules" / "zod").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("package.json", {"dependencies": {"left-pad": "1"}}),
        ("package-lock.json", {"packages": {"": {"dependencies": {"left-pad": "1"}}}}),
    ],
)
def test_a_folder_that_needs_more_is_left_to_npm(
    tmp_path: Path, packages: Path, name: str, content: dict[str, Any]
):
    (tmp_path / name).write_text(json.dumps(content))

    assert not prefill(tmp_path, packages)
    assert not (tmp_path / "node_modules").exists()


def test_what_was_put_into_a_checkout_is_hidden_from_git_once(tmp_path: Path):
    exclude = tmp_path / ".git" / "info" / "exclude"
    exclude.parent.mkdir(parents=True)
    exclude.write_text("*.swp\n")

    hide(tmp_path / ".opencode")
    hide(tmp_path / ".opencode")

    assert exclude.read_text().splitlines() == [
        "*.swp",
        "",
        "/.opencode/node_modules",
        "/.opencode/package-lock.json",
    ]


def test_a_configuration_that_was_touched_while_it_was_read_is_put_back(tmp_path: Path):
    touched, made = tmp_path / "opencode.json", tmp_path / "opencode.jsonc"
    touched.write_text("{}")

    with pristine(tmp_path):
        touched.write_text('{\n  "$schema": "x"}')
        made.write_text("{}")

    assert touched.read_text() == "{}"
    assert made.exists()


@given(st.integers(0, 2**44), st.integers(0, 2**44))
def test_ids_ascend_even_when_the_clock_goes_back(first: int, second: int):
    before = message_id(first)
    after = message_id(second, before)

    assert len(before) == len(after) == len("msg_") + 12 + 14
    wrapped = before.startswith("msg_fffffffff")
    assert wrapped or before[:16] < after[:16]


def test_an_id_is_the_time_as_opencode_writes_it():
    assert message_id(1_796_048_675_130).startswith("msg_22cd7e13a001")
