"""Signing a browser in by a link, and who that browser is afterwards."""

import re

from playwright.sync_api import expect

from tests.browser.home import Home
from tests.browser.people import People, Person, link
from tests.browser.pictures import look
from tests.e2e.machine import Machine


def test_a_link_signs_in_and_no_script_sees_the_cookie(people: People, machine: Machine):
    stranger = people.stranger()
    page = stranger.page

    page.goto(link(machine))
    expect(Home(page).prompt).to_be_visible()

    (cookie,) = stranger.context.cookies()
    assert page.url == f"http://{people.host}/"
    assert (cookie.get("httpOnly"), cookie.get("sameSite"), cookie.get("path")) == (
        True,
        "Lax",
        "/",
    )
    assert page.evaluate("() => document.cookie") == ""


def test_a_link_works_once_and_the_page_says_how_to_get_another(people: People, machine: Machine):
    used = link(machine)
    first, second = people.stranger("first"), people.stranger("second")
    second.watch.allow("/api/sign-in")
    first.page.goto(used)
    expect(Home(first.page).prompt).to_be_visible()

    second.page.goto(used)
    expect(second.page.get_by_role("alert").first).not_to_be_empty()

    assert "#" not in second.page.url
    assert second.context.cookies() == []
    look(second, "sign-in-refused")
    second.page.get_by_role("textbox", name="Or paste the link here").fill(link(machine))
    second.page.get_by_role("button", name="Sign in").click()
    expect(Home(second.page).prompt).to_be_visible()


def test_without_a_login_every_page_is_the_sign_in(people: People):
    stranger = people.stranger()

    stranger.go("/settings")

    expect(stranger.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    look(stranger, "sign-in")


def test_signing_out_ends_this_browsers_login_and_no_others(people: People):
    leaving, staying = people("carla"), people()
    people.logins.pop("carla")
    leaving.watch.allow("401")

    leaving.page.get_by_role("button", name=re.compile("^You: ")).click()
    leaving.page.get_by_role("menuitem", name="Sign out").click()
    expect(leaving.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    leaving.page.reload()

    expect(leaving.page.get_by_role("heading", name="Sign in to Outboard")).to_be_visible()
    staying.page.reload()
    expect(Home(staying.page).prompt).to_be_visible()


def test_a_login_that_ends_meanwhile_keeps_what_was_written(person: Person, machine: Machine):
    page = person.page
    person.watch.allow("401")
    Home(page).prompt.fill("Half a thought")

    person.context.clear_cookies()
    expect(page.get_by_role("dialog", name="Your login has expired")).to_be_visible()
    look(person, "login-expired")
    page.get_by_role("textbox", name="Or paste the link here").fill(link(machine))
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(Home(page).prompt).to_have_value("Half a thought")
