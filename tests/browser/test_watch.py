"""The tests of this folder would notice: each kind of trouble, on a page that has it."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser import axe
from tests.browser.waiting import until
from tests.browser.watch import Watch

HOST = "outboard.test"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src *; img-src *"


@pytest.fixture
def watch() -> Watch:
    return Watch(HOST)


@pytest.fixture
def page(browser: Browser, watch: Watch) -> Generator[Page]:
    context = browser.new_context()
    watch.on(context)
    context.route("**/*", _answer)
    yield context.new_page()
    context.close()


def _answer(route: Route) -> None:
    """Nothing but empty pages: what a test puts into them goes wrong."""
    missing = route.request.url.endswith("/missing")
    page = '<html lang="en"><head><title>A page</title></head><body><main></main></body></html>'
    route.fulfill(
        status=404 if missing else 200,
        content_type="text/html",
        headers={"content-security-policy": POLICY, "access-control-allow-origin": "*"},
        body=page,
    )


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("document.body.innerHTML = '<p style=\"color: red\"></p>'", "content security policy"),
        ("document.body.innerHTML = '<b onclick=\"x\"></b>'", "content security policy"),
        ("setTimeout(() => { throw new Error('broken'); })", "error: .*broken"),
        ("console.error('not well')", "console error: not well"),
        ("fetch('/missing')", "status 404: GET .*/missing"),
        ("fetch('https://elsewhere.test/x')", "another host: https://elsewhere.test/x"),
    ],
)
def test_trouble_is_noticed_unless_it_is_allowed(page: Page, watch: Watch, script: str, words: str):
    page.goto(f"https://{HOST}/")
    before = watch.unexpected()

    page.evaluate(f"() => {{ {script} }}")
    found = until(page, watch.unexpected)
    watch.allow(words, "Failed to load resource", "Content Security Policy")

    assert before == []
    assert found != []
    assert watch.unexpected() == []


def test_a_control_without_a_name_is_a_violation_under_the_strictest_policy(
    page: Page, watch: Watch
):
    page.goto(f"https://{HOST}/")

    named = axe.violations(page)
    page.evaluate("() => document.querySelector('main').append(document.createElement('input'))")
    unnamed = axe.violations(page)

    assert named == []
    assert [words.split(":")[0] for words in unnamed] == ["label"]
    assert watch.unexpected() == []
