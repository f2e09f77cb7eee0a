"""A bundle is never larger than it may be, names everything it can, and counts all of it."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sandbox_bridge.changes.fitting import LIMITS, Limits, fit
from shared.protocol.change_bundles import BundledFile, BundledRepository, NewChanges
from shared.protocol.changes import Render

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
RENDERS: list[Render] = ["renderable", "binary", "too_large", "metadata_only"]
NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


@st.composite
def files(draw: st.DrawFn) -> BundledFile:
    render = draw(st.sampled_from(RENDERS))
    return BundledFile(
        path=draw(NAMES),
        status="modified",
        additions=1,
        deletions=2,
        render=render,
        patch=draw(TEXT) if render == "renderable" else "",
    )


REPOSITORIES = st.lists(
    st.builds(
        BundledRepository,
        name=NAMES,
        files=st.lists(files(), max_size=8),
        left_out=st.integers(0, 3),
        additions=st.integers(0, 99),
        deletions=st.integers(0, 99),
        base=st.none(),
        head=st.none(),
        error=st.none(),
    ),
    max_size=3,
)
SMALL = st.builds(
    Limits,
    files=st.integers(0, 12),
    patch=st.integers(0, 60),
    patches=st.integers(0, 200),
    bundle=st.integers(1_500, 4_000),
)


def fitted(repositories: list[BundledRepository], limits: Limits = LIMITS) -> NewChanges:
    return fit(repositories, compared_at=NOW, prompt=3, limits=limits)


@given(REPOSITORIES, SMALL)
def test_no_limit_is_passed(repositories: list[BundledRepository], limits: Limits):
    bundle = fitted(repositories, limits)

    kept = [file for repository in bundle.repositories for file in repository.files]
    sizes = [len(file.patch.encode()) for file in kept]
    assert len(kept) <= limits.files
    assert max(sizes, default=0) <= limits.patch
    assert sum(sizes) <= limits.patches
    assert len(bundle.model_dump_json(by_alias=True).encode()) <= limits.bundle


@given(REPOSITORIES, SMALL)
def test_nothing_is_unaccounted_for(repositories: list[BundledRepository], limits: Limits):
    bundle = fitted(repositories, limits)

    assert [each.name for each in bundle.repositories] == [each.name for each in repositories]
    for now, before in zip(bundle.repositories, repositories, strict=True):
        assert now.left_out + len(now.files) == before.left_out + len(before.files)
        assert (now.additions, now.deletions) == (before.additions, before.deletions)
        for file, whole in zip(now.files, before.files, strict=False):
            assert (file.path, file.additions) == (whole.path, whole.additions)
            assert file.patch in {"", whole.patch}
            assert file.patch == (whole.patch if file.render == "renderable" else "")
    assert bundle.truncated == any(map(_is_less, bundle.repositories, repositories))


def _is_less(now: BundledRepository, before: BundledRepository) -> bool:
    cut = now.model_copy(update={"left_out": 0}) != before.model_copy(update={"left_out": 0})
    return cut or now.left_out > 0


def test_what_fits_is_left_as_it_is():
    whole = BundledRepository(name="tool", files=[_file("a", "+one"), _file("b", "+two")])

    bundle = fitted([whole])

    assert (bundle.repositories, bundle.truncated) == ([whole], False)


def test_a_file_that_is_too_large_leaves_room_for_those_behind_it():
    whole = BundledRepository(name="tool", files=[_file("a", "+" * 11), _file("b", "+" * 10)])

    bundle = fitted([whole], Limits(patch=10, patches=10))

    assert _renders(bundle) == {"a": "too_large", "b": "renderable"}


def test_a_name_comes_before_a_patch():
    whole = BundledRepository(name="tool", files=[_file(name, "+" * 500) for name in "abcd"])

    bundle = fitted([whole], Limits(bundle=1_500))

    assert list(_renders(bundle)) == ["a", "b", "c", "d"]
    assert "metadata_only" in _renders(bundle).values()
    assert bundle.truncated


def _renders(bundle: NewChanges) -> dict[str, str]:
    return {file.path: file.render for each in bundle.repositories for file in each.files}


def _file(path: str, patch: str, **more: Any) -> BundledFile:
    given = {"status": "modified", "additions": 1, "deletions": 0, "render": "renderable"}
    return BundledFile.model_validate({"path": path, "patch": patch, **given, **more})
