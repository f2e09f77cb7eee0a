import asyncio
from pathlib import Path

import pytest

from sandbox_bridge.git.author import author, sign_as
from sandbox_bridge.git.checkout import Checkout
from sandbox_bridge.git.clone import clone
from sandbox_bridge.git.command import GitFailed
from sandbox_bridge.git.commit import Commit, commit_leftovers, message
from tests.sandbox_bridge.repositories import Remote, checkout, git, put, spec

ADA = author("Ada Example", "ada@example.com")


def commit(here: Checkout, words: str = "Do it\n\nOutboard.\n") -> Commit:
    return asyncio.run(commit_leftovers(here, ADA, words))


def committed(here: Checkout) -> set[str]:
    listing = git(here.git.directory, "show", "--name-only", "--format=", "HEAD")
    return set(listing.splitlines())


def test_changed_new_and_deleted_files_are_in_the_commit(here: Checkout):
    put(here.git.directory, {"a.txt": "two\n", "new/b.txt": "b", 'odd "näme".txt': "c"})
    (here.git.directory / ".gitignore").unlink()

    made = commit(here)

    place = here.git.directory
    assert made == Commit(git(place, "rev-parse", "HEAD"), files=4)
    assert git(place, "status", "--porcelain") == ""


def test_the_author_is_the_prompts_and_the_committer_is_outboard(here: Checkout):
    put(here.git.directory, {"a.txt": "two\n"})

    commit(here)

    said = git(here.git.directory, "log", "-1", "--format=%an <%ae>|%cn <%ce>|%B")
    assert said == (
        "Ada Example <ada@example.com>|Outboard <outboard@localhost>|Do it\n\nOutboard."
    )


def test_nothing_changed_is_no_commit(here: Checkout):
    before = git(here.git.directory, "rev-parse", "HEAD")

    assert commit(here) == Commit()
    assert git(here.git.directory, "rev-parse", "HEAD") == before


def test_litter_and_what_is_ignored_stay_out(here: Checkout):
    litter = {
        "x.log": "ignored",
        "pkg/__pycache__/m.cpython-313.pyc": "",
        "pkg/m.pyc": "",
        "node_modules/left-pad/index.js": "",
        "web/node_modules/x/y.js": "",
        ".venv/bin/python": "",
        "my-environment/pyvenv.cfg": "",
        "my-environment/lib/x.py": "",
        "target/CACHEDIR.TAG": "",
        "target/debug/tool": "",
        ".pytest_cache/v": "",
        ".mypy_cache/v": "",
        ".ruff_cache/v": "",
        ".DS_Store": "",
        "tool.egg-info/PKG-INFO": "",
        "vendor/bundle/ruby/x.rb": "",
    }
    kept = {"src/target/main.rs": "", "vendor/ours.py": "", "pkg/m.py": "", "environment.md": ""}
    put(here.git.directory, {**litter, **kept})

    commit(here)

    assert committed(here) == set(kept)


def test_litter_that_a_repository_tracks_is_committed_when_it_changes(tmp_path: Path):
    remote = Remote(tmp_path, {"node_modules/own/index.js": "one", "a.txt": "a"})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    put(here.git.directory, {"node_modules/own/index.js": "two"})

    commit(here)

    assert committed(here) == {"node_modules/own/index.js"}


def test_what_the_agent_staged_on_purpose_is_committed(here: Checkout):
    put(here.git.directory, {"forced.log": "x"})
    git(here.git.directory, "add", "--force", "forced.log")

    commit(here)

    assert committed(here) == {"forced.log"}


def test_hooks_and_signing_are_not_asked(here: Checkout):
    place = here.git.directory
    for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit"):
        put(place, {f".git/hooks/{hook}": "#!/bin/sh\ntouch ran\nexit 1\n"})
        (place / ".git/hooks" / hook).chmod(0o755)
    git(place, "config", "commit.gpgSign", "true")
    git(place, "config", "user.signingKey", "nobody")
    put(place, {"a.txt": "two\n"})

    commit(here)

    assert committed(here) == {"a.txt"}
    assert not (place / "ran").exists()


def test_the_first_commit_of_an_empty_repository(tmp_path: Path):
    remote = Remote(tmp_path, {})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    put(here.git.directory, {"first.txt": "x"})

    made = commit(here)

    assert made.files == 1
    assert committed(here) == {"first.txt"}


def test_an_unfinished_merge_is_left_alone(here: Checkout):
    place = here.git.directory
    git(place, "switch", "--quiet", "--create", "other")
    put(place, {"a.txt": "theirs\n"})
    git(place, "commit", "--quiet", "--all", "--message", "theirs")
    git(place, "switch", "--quiet", "-")
    put(place, {"a.txt": "ours\n"})
    git(place, "commit", "--quiet", "--all", "--message", "ours")
    with pytest.raises(Exception, match="non-zero"):
        git(place, "merge", "other")
    conflict = (place / "a.txt").read_text()

    with pytest.raises(GitFailed, match="a merge is unfinished"):
        commit(here)

    assert (place / "a.txt").read_text() == conflict


def test_an_unfinished_rebase_is_left_alone(here: Checkout):
    (here.git.directory / ".git/rebase-merge").mkdir()

    with pytest.raises(GitFailed, match="a rebase is unfinished"):
        commit(here)


def test_a_repository_inside_the_repository_is_left_out_and_named(here: Checkout):
    inner = here.git.directory / "inner"
    put(inner, {"x.txt": "x"})
    git(inner, "init", "--quiet")
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "--message", "inner")
    put(here.git.directory, {"b.txt": "b"})

    made = commit(here)

    assert committed(here) == {"b.txt"}
    assert made.notes == ("'inner/' is a repository of its own: left out",)
    assert (inner / ".git").is_dir()


def test_an_inner_repository_that_the_agent_staged_is_left_out_too(here: Checkout):
    inner = here.git.directory / "inner"
    put(inner, {"x.txt": "x"})
    git(inner, "init", "--quiet")
    git(inner, "add", ".")
    git(inner, "commit", "--quiet", "--message", "inner")
    git(here.git.directory, "add", "inner")

    made = commit(here)

    assert made.commit is None
    assert made.notes[0] == "'inner' is at a commit that only this sandbox has: left out"


@pytest.fixture
def with_submodule(tmp_path: Path) -> tuple[Checkout, Remote]:
    """A checkout whose `lib` is a submodule, and the submodule's own remote."""
    library = Remote(tmp_path / "library", {"lib.txt": "one"})
    remote = Remote(tmp_path / "main", {"a.txt": "one"})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    allow = ("-c", "protocol.file.allow=always")
    git(here.git.directory, *allow, "submodule", "--quiet", "add", library.url, "lib")
    return here, library


def test_a_new_submodule_is_committed(with_submodule: tuple[Checkout, Remote]):
    here, _ = with_submodule

    made = commit(here)

    assert committed(here) == {".gitmodules", "lib"}
    assert made.notes == ()


def test_a_submodule_at_a_commit_that_only_the_sandbox_has_is_left_out(
    with_submodule: tuple[Checkout, Remote],
):
    here, _ = with_submodule
    commit(here)
    put(here.git.directory, {"lib/lib.txt": "two", "a.txt": "two"})
    git(here.git.directory / "lib", "commit", "--quiet", "--all", "--message", "inside")

    made = commit(here)

    assert committed(here) == {"a.txt"}
    assert made.notes == ("'lib' is at a commit that only this sandbox has: left out",)


def test_a_submodule_that_was_moved_to_a_published_commit_is_committed(
    with_submodule: tuple[Checkout, Remote],
):
    here, library = with_submodule
    commit(here)
    library.commit({"lib.txt": "two"})
    git(here.git.directory / "lib", "pull", "--quiet", "origin", "main")

    commit(here)

    assert committed(here) == {"lib"}


def test_the_agents_own_commits_carry_the_prompts_author(here: Checkout):
    asyncio.run(sign_as(here, ADA))
    plain = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}

    put(here.git.directory, {"a.txt": "two\n"})
    git(here.git.directory, "commit", "--all", "--message", "mine", environment=plain)

    said = git(here.git.directory, "log", "-1", "--format=%an <%ae>")
    assert said == "Ada Example <ada@example.com>"


@pytest.mark.parametrize(
    ("name", "email"), [("", ""), ("<>", "\n"), ("Zoë <x>\n", "z@x\0y"), ("a\ud800", "...")]
)
def test_an_odd_author_is_no_reason_to_fail(here: Checkout, name: str, email: str):
    odd = author(name, email)
    asyncio.run(sign_as(here, odd))
    put(here.git.directory, {"a.txt": "two\n"})

    asyncio.run(commit_leftovers(here, odd, "words"))

    assert committed(here) == {"a.txt"}


@pytest.mark.parametrize(
    ("prompt", "subject"),
    [
        ("Add a flag\nand more", "Add a flag"),
        ("\n\n  # Fix it  \n", "# Fix it"),
        ("   ", "Prompt 7"),
        ("word " * 30, "word " * 13 + "word…"),
        ("ü" * 100, "ü" * 71 + "…"),
        ("\0\nAdd\0 a\x1b[2J flag", "Add a[2J flag"),
    ],
)
def test_the_message_begins_with_the_prompts_first_line(prompt: str, subject: str):
    assert message(prompt, "s1", 7) == f"{subject}\n\nOutboard session s1, prompt 7.\n"


def test_a_message_is_kept_to_the_letter(here: Checkout):
    put(here.git.directory, {"a.txt": "two\n"})

    commit(here, message("# not a comment \ud800", "s1", 1))

    assert git(here.git.directory, "log", "-1", "--format=%s") == "# not a comment ?"
