"""People with a browser each, signed in the way people are: by the link of `./outboard open`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, StorageState

from tests.browser.watch import Watch
from tests.e2e.machine import Machine

OWNER = ""
"""Who uses this machine. Everybody else has a name here."""

UNKNOWN = ("^status 401: GET .*/api/me$", r"^console error: .*status of 401.*/api/me\)$")

type Device = Mapping[str, Any]
DESK: Device = {"viewport": {"width": 1280, "height": 800}}
PHONE: Device = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}


@dataclass(frozen=True)
class Person:
    name: str
    page: Page
    watch: Watch

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def go(self, path: str) -> None:
        self.page.goto(f"http://{self.watch.host}{path}")


@dataclass
class People:
    """Everybody is signed in once and keeps the login, but each test begins in a new browser."""

    browser: Browser
    machine: Machine
    logins: dict[str, StorageState] = field(default_factory=dict[str, StorageState])
    present: list[Person] = field(default_factory=list[Person])

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.machine.port}"

    def __call__(self, name: str = OWNER, device: Device = DESK) -> Person:
        """Signed in, at the home page."""
        if name not in self.logins:
            newcomer = self.stranger(name, device)
            newcomer.page.goto(link(self.machine, name))
            newcomer.page.wait_for_url(f"http://{self.host}/")
            self.logins[name] = _login(newcomer.context.storage_state())
            return newcomer
        person = self._browser(name, device, self.logins[name])
        person.go("/")
        return person

    def stranger(self, name: str = "a stranger", device: Device = DESK) -> Person:
        """With a browser that nobody knows yet, and that asks whether somebody does."""
        person = self._browser(name, device)
        person.watch.allow(*UNKNOWN)
        return person

    def _browser(self, name: str, device: Device, login: StorageState | None = None) -> Person:
        context = self.browser.new_context(
            locale="en-GB", timezone_id="UTC", storage_state=login, **device
        )
        watch = Watch(self.host)
        watch.on(context)
        person = Person(name, context.new_page(), watch)
        self.present.append(person)
        return person

    def leave(self) -> list[str]:
        """Everybody closes the browser. What went wrong in them that no test has asked for."""
        for person in self.present:
            person.context.close()
        found = [
            f"{it.name or 'the owner'}: {words}"
            for it in self.present
            for words in it.watch.unexpected()
        ]
        self.present.clear()
        return found


def _login(state: StorageState) -> StorageState:
    """The cookie, and what the page keeps of it, but nothing else that the page remembers."""
    for origin in state.get("origins", []):
        kept = origin.get("localStorage", [])
        origin["localStorage"] = [each for each in kept if each.get("name") == "outboard.login"]
    return state


def link(machine: Machine, name: str = OWNER) -> str:
    """For one browser, once."""
    if name == OWNER:
        return machine.json("open")[-1]["url"]
    if name not in [user["name"] for user in machine.json("user", "list")]:
        machine.json("user", "add", name)
    return machine.json("--as", name, "open")[-1]["url"]
