"""Environments in a browser: made, changed, opened, saved from a set, and deleted."""

import re
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.agent import Agent, command
from tests.browser.home import SESSION, Home
from tests.browser.people import Person
from tests.browser.pictures import look
from tests.browser.session import Session
from tests.browser.targets import Editor, choose, opened
from tests.e2e.machine import Machine
from tests.e2e.talk import Api


def test_an_environment_is_made_changed_and_opened(
    shop: tuple[Path, Path], person: Person, api: Api, agent: Agent
):
    store, payments = shop
    page, home, editor = person.page, Home(person.page), Editor(person.page)
    name = f"Shop {uuid4().hex[:6]}"
    person.go("/settings/environments")

    page.get_by_role("button", name="New environment").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="Description").fill("Storefront and payments")
    editor.add(store)
    editor.add(payments)
    look(person, "settings-environment")
    page.get_by_role("button", name="Create").click()
    there = page.get_by_role("list", name=f"Repositories of {name}").get_by_role("listitem")
    expect(there).to_have_text(["store on main", "payments on main"])
    expect(page.get_by_role("button", name="New environment")).to_be_focused()
    look(person, "settings-environments")
    page.get_by_role("button", name=f"Edit {name}").click()
    editor.move("payments", "up")
    page.get_by_role("button", name="Save").click()
    expect(there).to_have_text(["payments on main", "store on main"])

    page.get_by_role("link", name="New session").click()
    choose(page, name)
    home.prompt.fill(agent.will("Look into both", command("ls")))
    home.start.click()
    expect(page).to_have_url(SESSION)
    Session(page).expect_ends("Completed")
    view = opened(page, api)
    assert [each["name"] for each in view["repositories"]] == ["payments", "store"]
    assert view["environment"]["name"] == name
    row = page.get_by_role("navigation", name="Inbox").get_by_text(f"{name}: payments, store")
    expect(row).to_be_visible()


def test_a_session_outlives_its_environment(
    shop: tuple[Path, Path], person: Person, api: Api, machine: Machine
):
    page, session = person.page, Session(person.page)
    name = f"Shop {uuid4().hex[:6]}"
    machine.json("env", "create", name, *(f"--repo={path}" for path in shop))
    page.get_by_role("button", name=re.compile("^(Repository|Choose)")).click()
    expect(page.get_by_role("option", name=name)).to_be_visible()
    look(person, "target-choices")
    page.get_by_role("option", name=name).click()
    home = Home(page)
    home.prompt.fill("Look into both")
    home.start.click()
    expect(page).to_have_url(SESSION)
    where = page.url

    person.go("/settings/environments")
    page.get_by_role("button", name=f"Delete {name}").click()
    expect(page.get_by_role("dialog")).to_contain_text("keep their copy of its repositories")
    look(person, "settings-environment-delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name=f"Delete {name}")).to_have_count(0)
    page.goto(where)
    expect(session.details.get_by_text("Environment deleted")).to_be_visible()
    look(person, "session-environment-deleted")

    assert [each["name"] for each in opened(page, api)["repositories"]] == ["store", "payments"]
    page.get_by_role("link", name="New session").click()
    expect(page.get_by_text(f"The environment “{name}” was deleted.")).to_be_visible()
    look(person, "home-environment-deleted")


def test_a_set_is_saved_under_a_name_that_is_not_taken(
    shop: tuple[Path, Path], person: Person, machine: Machine
):
    person.watch.allow("409.*/api/environments", "/api/environments.*409")
    store, payments = shop
    page = person.page
    taken, free = f"Taken {uuid4().hex[:6]}", f"Free {uuid4().hex[:6]}"
    machine.json("env", "create", taken, "--repo", str(store))
    Home(page).choose(store)
    page.get_by_role("button", name="Add repositories").click()
    Editor(page).add(payments)

    page.get_by_role("button", name="Save as an environment").click()
    page.get_by_role("textbox", name="Name").fill(taken.upper())
    page.get_by_role("button", name="Save").click()
    refused = page.get_by_text(f"There is an environment '{taken.upper()}' already.")
    expect(refused).to_be_visible()
    look(person, "target-name-taken")
    page.get_by_role("textbox", name="Name").fill(free)
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name=f"Environment: {free}")).to_be_visible()
    (made,) = [each for each in machine.json("env", "list") if each["name"] == free]
    assert [each["name"] for each in made["repositories"]] == ["store", "payments"]


def test_a_set_is_saved_from_the_details_of_its_session(
    shop: tuple[Path, Path], person: Person, machine: Machine, api: Api
):
    page, session = person.page, Session(person.page)
    repositories = [{"url": api.served(path)} for path in shop]
    made = api("POST", "/sessions", {"requestId": uuid4().hex, "repositories": repositories})
    name = f"Kept {uuid4().hex[:6]}"

    person.go(f"/session/{made['id']}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    session.details.get_by_role("button", name="Save as an environment").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)

    (saved,) = [each for each in machine.json("env", "list") if each["name"] == name]
    assert [each["name"] for each in saved["repositories"]] == ["store", "payments"]
