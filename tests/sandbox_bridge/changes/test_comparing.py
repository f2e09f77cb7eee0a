"""Real repositories compared: what an agent may leave in one, whatever it is called."""

import asyncio
import os
from pathlib import Path

import pytest

from sandbox_bridge.changes import comparing
from sandbox_bridge.changes.comparing import LARGE_BYTES, compare
from sandbox_bridge.git.checkout import BASE, Checkout
from sandbox_bridge.git.clone import clone
from sandbox_bridge.git.command import GitFailed
from shared.protocol.change_bundles import BundledFile, BundledRepository
from tests.sandbox_bridge.repositories import Remote, checkout, git, put, spec

SECRET = "hunter2-hunter2"
MODULE = "0123456789" * 4


@pytest.fixture
def remote(tmp_path: Path) -> Remote:
    files = {"a.txt": "one\n", "b.txt": "1\n2\n3\n4\n5\n6\n", "link": "x", ".gitignore": "*.log\n"}
    return Remote(tmp_path / "remote", files)


@pytest.fixture
def here(remote: Remote, tmp_path: Path) -> Checkout:
    here = checkout(tmp_path / "workspace", remote.url, secrets={"API_TOKEN": SECRET})
    asyncio.run(clone(here, spec(remote.url)))
    return here


def compared(here: Checkout) -> BundledRepository:
    return asyncio.run(compare(here))


def files(here: Checkout) -> dict[str, BundledFile]:
    return {file.path: file for file in compared(here).files}


def statuses(here: Checkout) -> dict[str, tuple[str, str]]:
    return {path: (file.status, file.render) for path, file in files(here).items()}


def place(here: Checkout) -> Path:
    return here.git.directory


def commit(here: Checkout, words: str = "work") -> None:
    git(place(here), "add", "--all")
    git(place(here), "commit", "--quiet", "--message", words)


def test_nothing_changed_is_nothing_listed(here: Checkout):
    found = compared(here)

    assert (found.files, found.additions, found.deletions, found.left_out) == ([], 0, 0, 0)
    assert found.base == found.head == git(place(here), "rev-parse", "HEAD")


def test_commits_what_is_staged_and_what_is_new_are_one_comparison(here: Checkout):
    put(place(here), {"a.txt": "two\n"})
    commit(here)
    put(place(here), {"staged.txt": "s\n", "b.txt": "1\n2\n3\n4\n5\nsix\n", "new/c.txt": "c\n"})
    git(place(here), "add", "staged.txt")
    (place(here) / "link").unlink()

    found = compared(here)

    assert {file.path: file.status for file in found.files} == {
        "a.txt": "modified",
        "b.txt": "modified",
        "link": "deleted",
        "new/c.txt": "added",
        "staged.txt": "added",
    }
    assert (found.additions, found.deletions) == (4, 3)
    assert found.base == git(place(here), "rev-parse", BASE)
    assert found.head == git(place(here), "rev-parse", "HEAD")
    patch = found.files[0].patch
    assert patch.startswith("diff --git a/a.txt b/a.txt\n")
    assert patch.endswith("@@ -1 +1 @@\n-one\n+two\n")


def test_the_index_and_the_objects_of_the_repository_are_left_alone(here: Checkout):
    put(place(here), {"a.txt": "staged\n", "new.txt": "n\n"})
    git(place(here), "add", "a.txt")
    put(place(here), {"a.txt": "later\n"})
    before = (git(place(here), "status", "--porcelain"), _inside(here))

    files(here)

    assert (git(place(here), "status", "--porcelain"), _inside(here)) == before


def _inside(here: Checkout) -> dict[str, bytes]:
    inside = (path for path in (place(here) / ".git").rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in inside}


def test_a_file_that_is_as_young_as_the_index_is_looked_at(here: Checkout):
    index, file = place(here) / ".git/index", place(here) / "a.txt"
    moment = (10**18, 10**18)
    os.utime(file, ns=moment)
    git(place(here), "config", "core.trustctime", "false")
    git(place(here), "update-index", "--refresh")
    put(place(here), {"a.txt": "two\n"})
    os.utime(file, ns=moment)
    os.utime(index, ns=moment)

    assert set(files(here)) == {"a.txt"}


def test_a_file_that_moved_is_one_file(here: Checkout):
    git(place(here), "mv", "b.txt", "moved.txt")
    put(place(here), {"moved.txt": "1\n2\n3\n4\n5\nsix\n"})
    (place(here) / "a.txt").rename(place(here) / "only its name.txt")

    found = files(here)

    assert found["moved.txt"].old_path == "b.txt"
    assert (found["moved.txt"].status, found["moved.txt"].additions) == ("renamed", 1)
    assert "+six\n" in found["moved.txt"].patch
    assert found["only its name.txt"].render == "metadata_only"
    assert found["only its name.txt"].patch == ""


def test_names_of_any_bytes_are_told_apart(here: Checkout):
    names = [b"line\nbreak", b'quote"tab\t', b"latin-\xe9", b"-option", b":(top)magic", b"*", b" "]
    for name in names:
        with Path(os.fsdecode(os.fsencode(place(here)) + b"/" + name)).open("wb") as file:
            file.write(name.replace(b"\n", b"") + b"!\n")

    found = files(here)

    assert {file.status for file in found.values()} == {"added"}
    assert set(found) == {name.decode(errors="replace") for name in names}
    assert "+linebreak!\n" in found["line\nbreak"].patch
    assert "+latin-\N{REPLACEMENT CHARACTER}!\n" in found["latin-\N{REPLACEMENT CHARACTER}"].patch
    assert found["*"].patch.endswith("+*!\n")


def test_what_is_no_text_is_only_named(here: Checkout):
    (place(here) / "image.bin").write_bytes(bytes(range(256)))
    (place(here) / "large.txt").write_text("x\n" * LARGE_BYTES)
    put(place(here), {"empty.txt": "", "run.sh": ""})
    (place(here) / "a.txt").chmod(0o755)

    assert statuses(here) == {
        "a.txt": ("modified", "metadata_only"),
        "empty.txt": ("added", "metadata_only"),
        "image.bin": ("added", "binary"),
        "large.txt": ("added", "too_large"),
        "run.sh": ("added", "metadata_only"),
    }
    commit(here)
    git(place(here), "update-ref", BASE, "HEAD")
    (place(here) / "large.txt").unlink()
    (place(here) / "image.bin").unlink()
    assert statuses(here) == {
        "image.bin": ("deleted", "binary"),
        "large.txt": ("deleted", "too_large"),
    }


def test_a_link_shows_where_it_leads_and_is_not_followed(here: Checkout):
    (place(here) / "out").symlink_to("/etc/passwd")
    (place(here) / "link").unlink()
    (place(here) / "link").symlink_to("nowhere")

    found = files(here)

    assert "+/etc/passwd\n" in found["out"].patch
    assert found["link"].status == "type_changed"
    assert "+nowhere\n" in found["link"].patch


def test_a_submodule_is_its_commit_and_a_repository_beside_it_is_left_out(here: Checkout):
    git(place(here), "update-index", "--add", "--cacheinfo", f"160000,{MODULE},module")
    git(place(here), "commit", "--quiet", "--message", "module")
    (place(here) / "module").mkdir()
    git(place(here), "init", "--quiet", "inner")
    put(place(here), {"inner/file.txt": "x\n"})

    found = files(here)

    assert set(found) == {"module"}
    assert (found["module"].status, found["module"].render) == ("submodule", "renderable")
    assert f"+Subproject commit {MODULE}\n" in found["module"].patch


def test_conflicts_are_shown_as_they_stand(here: Checkout):
    git(place(here), "checkout", "--quiet", "-b", "other")
    put(place(here), {"a.txt": "theirs\n"})
    commit(here)
    git(place(here), "checkout", "--quiet", "-")
    put(place(here), {"a.txt": "ours\n"})
    commit(here)
    with pytest.raises(Exception, match="merge"):
        git(place(here), "merge", "--quiet", "other")

    found = files(here)

    assert found["a.txt"].status == "unmerged"
    assert "+<<<<<<< HEAD\n" in found["a.txt"].patch


def test_litter_and_what_is_ignored_are_no_changes(here: Checkout):
    put(place(here), {"debug.log": "x", "node_modules/x/index.js": "x", "kept.txt": "x\n"})

    assert set(files(here)) == {"kept.txt"}


def test_secrets_are_taken_out(here: Checkout):
    put(place(here), {"a.txt": f"token = {SECRET}\n", f"{SECRET}.txt": "x\n"})

    found = compared(here)

    assert SECRET not in found.model_dump_json()
    assert "+token = [redacted]\n" in {file.path: file for file in found.files}["a.txt"].patch


def test_what_a_repository_configures_changes_nothing(here: Checkout):
    for setting in ("color.ui=always", "diff.noprefix=true", "diff.external=false"):
        git(place(here), "config", *setting.split("="))
    put(place(here), {"a.txt": "two\n"})

    assert files(here)["a.txt"].patch.endswith(
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
    )


def test_a_base_that_moved_on_is_compared_from_where_the_work_left_it(
    here: Checkout, remote: Remote
):
    put(place(here), {"a.txt": "two\n"})
    commit(here)
    start = git(place(here), "rev-parse", BASE)
    newer = remote.commit({"theirs.txt": "t\n"})
    git(place(here), "fetch", "--quiet", "origin")
    git(place(here), "update-ref", BASE, newer)

    found = compared(here)

    assert (found.base, [file.path for file in found.files]) == (start, ["a.txt"])


def test_without_a_commit_everything_is_new(tmp_path: Path):
    remote = Remote(tmp_path / "empty", {})
    here = checkout(tmp_path / "workspace", remote.url)
    asyncio.run(clone(here, spec(remote.url)))
    put(place(here), {"a.txt": "one\n"})

    found = compared(here)

    assert (found.base, found.head) == (None, None)
    assert [(file.path, file.status) for file in found.files] == [("a.txt", "added")]


def test_a_repository_that_is_gone_is_refused_with_a_sentence(here: Checkout, tmp_path: Path):
    (place(here) / ".git").rename(tmp_path / "elsewhere")
    with pytest.raises(GitFailed, match="not a git repository"):
        compared(here)
    place(here).rename(tmp_path / "gone")
    with pytest.raises(GitFailed, match="tool is not in the workspace any more"):
        compared(here)


def test_only_so_many_new_files_are_looked_at(here: Checkout, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(comparing, "MOST_NEW", 2)
    put(place(here), {f"{number}.txt": "x\n" for number in range(5)})

    found = compared(here)

    assert (len(found.files), found.left_out) == (2, 3)
