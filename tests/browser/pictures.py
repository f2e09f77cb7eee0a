"""A state of a page in every look: its pictures for whoever designs it, and what axe says of it.

`python -m tests.browser.pictures` puts those that the README shows into docs/screenshots, small.
"""

from collections.abc import Iterator
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize

from tests.browser import axe
from tests.e2e.machine import ROOT

type Look = Literal["light", "dark"]

TAKEN = ROOT / ".build/screenshots"
SHOWN = ROOT / "docs/screenshots"
IN_THE_README = ("home-light", "session-light", "session-dark", "session-phone")
PHONE: ViewportSize = {"width": 390, "height": 844}
COLOURS = 128
"""Enough for a page of text, and a quarter of the bytes."""


def seen(page: Page, state: str) -> list[str]:
    """What is wrong with its accessibility, in the light, in the dark, and on a phone."""
    page.emulate_media(reduced_motion="reduce")
    return [f"{look}: {wrong}" for look in _looks(page) for wrong in _portray(page, state, look)]


def _looks(page: Page) -> Iterator[str]:
    schemes: tuple[Look, ...] = ("dark", "light")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        yield scheme
    desk = page.viewport_size
    assert desk is not None
    page.set_viewport_size(PHONE)
    yield "phone"
    page.set_viewport_size(desk)


def _portray(page: Page, state: str, look: str) -> list[str]:
    TAKEN.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=TAKEN / f"{state}-{look}.png", animations="disabled")
    return axe.violations(page)


def publish() -> None:
    SHOWN.mkdir(parents=True, exist_ok=True)
    for name in IN_THE_README:
        with Image.open(TAKEN / f"{name}.png") as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(SHOWN / f"{name}.png", optimize=True)


if __name__ == "__main__":
    publish()
