"""Images: attached by paste, by drop and by choice, seen by the agent, and handed in by it."""

import base64
import io
import re
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent, call, command
from tests.browser.home import SESSION, Home
from tests.browser.people import Person
from tests.browser.pictures import look
from tests.browser.session import Session
from tests.model import Model


def _picture(colour: str, kind: str = "PNG") -> bytes:
    content = io.BytesIO()
    Image.linear_gradient("L").convert("RGB").resize((320, 200)).save(content, kind)
    tinted = Image.blend(Image.open(content), Image.new("RGB", (320, 200), colour), 0.6)
    content = io.BytesIO()
    tinted.save(content, kind)
    return content.getvalue()


def test_images_are_pasted_dropped_and_picked_and_the_agent_sees_them(
    person: Person, model: Model, agent: Agent, path: Path
):
    page, home, session = person.page, Home(person.page), Session(person.page)
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.reload()
    home.choose(path)
    attached = page.get_by_role("list", name="Attached images").get_by_role("listitem")

    home.prompt.fill(agent.will("What is in these images?", {"text": "Three gradients."}))
    _paste(page, _picture("teal"))
    expect(attached).to_have_count(1)
    _drop(page, "dropped.webp", "image/webp", _picture("coral", "WEBP"))
    expect(attached).to_have_count(2)
    _pick(page, "picked.jpg", "image/jpeg", _picture("gold", "JPEG"))
    expect(attached).to_have_count(3)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    look(person, "home-attachments")
    home.start.click()

    expect(page).to_have_url(SESSION)
    session.expect_ends("Completed")
    shown = session.prompt(1).get_by_role("button", name=re.compile("^Open "))
    expect(shown).to_have_count(3)
    expect(session.prompt(1).get_by_role("img")).to_have_count(3)
    shown.last.click()
    expect(page.get_by_role("dialog", name="picked.jpg")).to_be_visible()
    look(person, "session-lightbox")
    seen = str([request["body"] for request in model.requests()])
    for kind in ("png", "webp", "jpeg"):
        assert f"data:image/{kind};base64," in seen


def test_what_is_no_image_is_refused_in_words(person: Person):
    page = person.page

    _pick(page, "notes.txt", "text/plain", b"words")
    expect(page.get_by_role("alert").filter(has_text="notes.txt can't be attached")).to_be_visible()
    person.watch.allow("/api/attachments/[^/]+/complete", "status of 4")
    _pick(page, "fake.png", "image/png", b"no image at all")

    expect(page.get_by_role("alert").filter(has_text="fake.png could not")).to_be_visible()
    look(person, "home-refused-image")


def test_a_screenshot_of_the_agent_is_shown_and_not_linked(
    person: Person, agent: Agent, path: Path
):
    page, session = person.page, Session(person.page)
    page.reload()
    content = base64.b64encode(_picture("orchid")).decode()
    asked = agent.will(
        "Show me how it looks",
        command(f"echo {content} | base64 -d > /tmp/shot.png", "Take a screenshot"),
        call("outboard_screenshot", path="/tmp/shot.png", title="How it looks"),
        {"text": "That is how it looks."},
    )

    Home(page).ask(asked, path)
    session.expect_ends("Completed")

    shown = session.timeline.get_by_role("button", name="Open How it looks")
    expect(shown.get_by_role("img")).to_be_visible()
    artifacts = session.details.get_by_role("region", name="Artifacts")
    expect(artifacts.get_by_role("button", name="Open How it looks")).to_be_visible()
    look(person, "session-artifact")


def _paste(page: Page, content: bytes) -> None:
    page.evaluate(
        """async (content) => {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const image = new Blob([bytes], { type: "image/png" });
          await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
        }""",
        base64.b64encode(content).decode(),
    )
    Home(page).prompt.press("Control+v")


def _drop(page: Page, name: str, kind: str, content: bytes) -> None:
    transfer = page.evaluate_handle(
        """([name, type, content]) => {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], name, { type }));
          return transfer;
        }""",
        [name, kind, base64.b64encode(content).decode()],
    )
    for event in ("dragenter", "dragover", "drop"):
        Home(page).prompt.dispatch_event(event, {"dataTransfer": transfer})


def _pick(page: Page, name: str, kind: str, content: bytes) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach images").click()
    chooser.value.set_files({"name": name, "mimeType": kind, "buffer": content})
