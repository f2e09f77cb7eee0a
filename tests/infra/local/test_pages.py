"""The link at the end of a start: it works, or the start says why there is none."""

import pytest

from infra.local.deployment import Deployed
from infra.local.pages import sign_in_link
from infra.local.refusal import Refusal
from tests.functions.browser import Browser
from tests.shared.client.real_server import RealServer


def test_the_link_signs_the_first_user_in():
    with RealServer().running() as server:
        link = sign_in_link(Deployed("http://127.0.0.1:4700", server.http, "ada"), server.token)

    page, _, code = link.partition("#")
    assert page == "http://127.0.0.1:4700/sign-in"
    assert Browser(server.world).sign_in(code).body["name"] == "ada"


def test_a_token_that_is_refused_ends_the_start_with_a_sentence():
    with RealServer().running() as server, pytest.raises(Refusal, match="signs nobody in"):
        sign_in_link(Deployed("http://127.0.0.1:4700", server.http, "ada"), "obu_made-up")


def test_an_api_that_is_not_there_does_so_too():
    deployed = Deployed("http://127.0.0.1:4700", "http://127.0.0.1:1/api", "ada")

    with pytest.raises(Refusal, match="signs nobody in"):
        sign_in_link(deployed, "obu_any")
