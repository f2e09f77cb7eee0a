"""A state of a page in every look: its pictures for whoever designs it, and what axe says of it.

`python -m tests.browser.pictures` puts those that the README shows into docs/screenshots, small.
"""

from collections.abc import Iterator
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize

from tests.browser import axe
from tests.browser.people import Person
from tests.e2e.machine import ROOT

TAKEN = ROOT / ".build/screenshots"
SHOWN = ROOT / "docs/screenshots"
IN_THE_README = ("home-light", "session-light", "session-dark", "session-phone")
PHONE: ViewportSize = {"width": 390, "height": 844}
COLOURS = 128
"""Enough for a page of text, and a quarter of the bytes."""


def look(person: Person, state: str) -> None:
    """In the light, in the dark, and on a phone; what bars people is trouble that the test has."""
    page = person.page
    page.emulate_media(reduced_motion="reduce")
    for how in _looks(page):
        TAKEN.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=TAKEN / f"{state}-{how}.png", animations="disabled")
        person.watch.troubles += [f"{state}-{how}: {each}" for each in axe.violations(page)]


def _looks(page: Page) -> Iterator[str]:
    schemes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        yield scheme
    desk = page.viewport_size
    assert desk is not None
    page.set_viewport_size(PHONE)
    yield "phone"
    page.set_viewport_size(desk)


def publish() -> None:
    SHOWN.mkdir(parents=True, exist_ok=True)
    for name in IN_THE_README:
        with Image.open(TAKEN / f"{name}.png") as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(SHOWN / f"{name}.png", optimize=True)


if __name__ == "__main__":
    publish()
