"""A plain tree of layers shows what the kernel's overlay of them shows."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from infra.local.sandbox_host.layers import CopyFailed, copy, flatten

BELOW = """
mkdir -p home/user/d/sub workspace var
echo low > home/user/kept; echo low > home/user/changed; echo low > home/user/deleted
echo low > home/user/d/hidden; echo low > home/user/d/sub/deep; echo low > home/user/was-file
mkdir home/user/was-dir; echo low > home/user/was-dir/f; ln -s kept home/user/link
chmod 640 home/user/kept
"""
ABOVE = """
cd home/user
echo high > changed; rm deleted; rm -r d; mkdir d; echo high > d/new
rm was-file; mkdir was-file; echo high > was-file/f
rm -r was-dir; echo high > was-dir
ln -sfn changed link; mkfifo pipe; echo new > new
"""


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    for name in ("below", "above", "work", "merged", "shown"):
        (tmp_path / name).mkdir()
    subprocess.run(["sh", "-ec", BELOW], cwd=tmp_path / "below", check=True)
    return tmp_path


@pytest.mark.sandbox
def test_a_plain_tree_is_what_the_kernel_shows(layers: Path):
    user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    mount = (
        "mount -t overlay overlay -o lowerdir=below,upperdir=above,workdir=work,userxattr merged"
        f" && (cd merged && sh -ec '{ABOVE}') && cp -a merged/. shown"
    )
    mounted = subprocess.run(
        ["unshare", *user, "--mount", "sh", "-ec", mount], cwd=layers, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine mounts no overlays")

    flatten([layers / "below", layers / "above"], layers / "flat")

    assert _described(layers / "flat") == _described(layers / "shown")


def test_only_what_is_kept_is_copied_and_no_link_followed(layers: Path, tmp_path: Path):
    source = layers / "below"
    (source / "tmp").mkdir()
    (source / "home/user/out").symlink_to("/etc")
    shutil.rmtree(source / "var")
    (source / "var").symlink_to("/etc")

    copy(source, tmp_path / "copied")

    assert sorted(path.name for path in (tmp_path / "copied").iterdir()) == ["home", "workspace"]
    assert (tmp_path / "copied/home/user/out").readlink() == Path("/etc")
    assert (tmp_path / "copied/home/user/kept").read_text() == "low\n"


def test_a_copy_that_fails_says_why(layers: Path):
    if os.geteuid() == 0:
        pytest.skip("nothing is closed to root")
    (layers / "below/home/user/kept").chmod(0)

    with pytest.raises(CopyFailed, match="kept"):
        copy(layers / "below", layers / "copied")


def _described(root: Path) -> dict[str, tuple[int, str]]:
    described: dict[str, tuple[int, str]] = {}
    for directory, directories, files in root.walk():
        for name in (*directories, *files):
            path = directory / name
            content = str(path.readlink()) if path.is_symlink() else ""
            if path.is_file() and not path.is_symlink():
                content = path.read_text()
            described[str(path.relative_to(root))] = (path.lstat().st_mode, content)
    return described
