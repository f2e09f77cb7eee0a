"""Whatever comes to the address of webhooks is taken or refused; what is refused is not kept."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.forge.deliveries import needs_examples, of_kind
from tests.functions.hooked import BRANCH, Hooked, as_told, of_our_branch, signed

fuzzed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
few = settings(fuzzed, max_examples=25)

KINDS = st.sampled_from(["pull_request", "pull_request", "ping", "", "PULL_REQUEST", "é"])

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner)
)
odd = values | st.sampled_from(
    [
        "x" * 100_000,
        10**400,
        -1,
        2**63,
        "2019-05-15T15:20:33",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "\ud800",
        "\x00",
        "javascript:alert(1)",
        "https://github.com",
        "http://[",
        "outboard/",
        "outboard/" + "s" * 5_000,
        "outboard/nobody",
        "https://a:b@github.com/Codertocat/Hello-World.git",
    ]
)

PATHS: list[tuple[str, ...]] = [
    *[("pull_request",), ("repository",), ("repository", "clone_url"), ("action",)],
    *[("pull_request", name) for name in ("number", "html_url", "title", "state", "draft")],
    *[("pull_request", name) for name in ("merged_at", "updated_at", "head", "base")],
    *[("pull_request", "head", name) for name in ("ref", "sha", "repo")],
    *[("pull_request", "base", name) for name in ("ref", "sha", "repo")],
    ("pull_request", "head", "repo", "clone_url"),
]
"""What we read, and what that is in."""


@cache
def real() -> list[Any]:
    return [of_our_branch(example.payload) for example in of_kind("pull_request")]


def mutated(payload: Any, path: tuple[str, ...], value: object, *, drop: bool) -> Any:
    first, *rest = path
    if not isinstance(payload, dict):
        return payload
    if not rest:
        kept = {name: one for name, one in payload.items() if name != first}
        return kept if drop else {**kept, first: value}
    return {**payload, first: mutated(payload.get(first), tuple(rest), value, drop=drop)}


changes = st.lists(st.tuples(st.sampled_from(PATHS), odd, st.booleans()), min_size=1, max_size=3)


def holds(hooked: Hooked, answer: Any) -> None:
    """Taken or refused, and only what was taken as ours is known."""
    assert answer.status == 202 or 400 <= answer.status < 500, answer
    about = answer.status == 202 and answer.body["about"]
    assert len(hooked.known) == (1 if about else 0)
    for known in hooked.known:
        assert known.head == BRANCH
        assert known.url.startswith(("https://", "http://"))


@fuzzed
@given(KINDS, st.binary(max_size=300) | st.sampled_from([b"[" * 100_000, b'{"a":' * 50_000]))
def test_any_bytes(kind: str, raw: bytes):
    hooked = Hooked()

    holds(hooked, hooked.send(kind, raw))


@few
@given(KINDS, values)
def test_any_json(kind: str, payload: object):
    hooked = Hooked()

    holds(hooked, hooked.deliver(kind, payload))


@needs_examples
@fuzzed
@given(st.data(), changes)
def test_any_change_of_a_real_one(data: st.DataObject, changes: list[Any]):
    payload = data.draw(st.sampled_from(real()))
    for path, value, drop in changes:
        payload = mutated(payload, path, value, drop=drop)
    hooked = Hooked()

    holds(hooked, hooked.deliver("pull_request", payload))


HEADERS = st.dictionaries(
    st.sampled_from(["content-type", "x-github-event", "x-hub-signature-256"]),
    st.text(max_size=80) | st.just("application/json") | st.just("sha256=") | st.none(),
)


@needs_examples
@fuzzed
@given(HEADERS, st.booleans())
def test_no_change_of_its_headers_lets_an_unsigned_one_in(
    changed: dict[str, str | None], plain: bool
):
    hooked, raw = Hooked(), json.dumps(real()[0]).encode()
    right = signed("pull_request", raw)
    headers = {name: one for name, one in {**right, **changed}.items() if one is not None}

    answer = hooked.send("pull_request", raw, headers=headers, plain=plain)

    holds(hooked, answer)
    whole = headers.get("x-hub-signature-256") == right["x-hub-signature-256"]
    assert whole or answer.status in {401, 422}


@needs_examples
@pytest.mark.parametrize("joined", [", ", ","])
@pytest.mark.parametrize("name", ["x-github-event", "x-hub-signature-256"])
def test_a_header_that_comes_twice_is_none_that_we_know(name: str, joined: str):
    hooked, raw = Hooked(), json.dumps(real()[0]).encode()
    headers = signed("pull_request", raw)

    answer = hooked.send(
        "pull_request", raw, headers={**headers, name: joined.join([headers[name]] * 2)}
    )

    assert answer.status == (202 if name == "x-github-event" else 401)
    assert hooked.known == ()


@needs_examples
@given(st.binary(min_size=1, max_size=20))
@fuzzed
def test_what_was_changed_on_its_way_is_refused(more: bytes):
    hooked, raw = Hooked(), json.dumps(real()[0]).encode()

    answer = hooked.send("pull_request", raw + more, headers=signed("pull_request", raw))

    assert answer.status in {401, 422}
    assert hooked.known == ()


@needs_examples
def test_a_time_without_a_zone_is_refused_and_not_compared():
    hooked = Hooked()
    hooked.deliver("pull_request", real()[0])

    later = mutated(real()[0], ("pull_request", "updated_at"), "2030-01-01T00:00:00", drop=False)

    assert hooked.deliver("pull_request", later).status == 422
    assert hooked.known == (as_told(real()[0]),)


@needs_examples
@few
@given(st.data())
def test_any_order_and_repetition_ends_in_what_the_host_has(data: st.DataObject):
    """Several real ones are of one second: then the host is asked, and it has one of them."""
    payloads = [{**one, "pull_request": {**one["pull_request"], "number": 1}} for one in real()]
    newest = max(one["pull_request"]["updated_at"] for one in payloads)
    last = [one for one in payloads if one["pull_request"]["updated_at"] == newest]
    holding = as_told(data.draw(st.sampled_from(last)))
    told = data.draw(st.permutations(payloads))
    again = data.draw(st.lists(st.sampled_from(payloads), max_size=5))
    hooked = Hooked()
    hooked.holds(holding)

    for payload in [*told, *again]:
        assert hooked.deliver("pull_request", payload).status == 202

    assert hooked.known == (holding,)


@needs_examples
@few
@given(st.data())
def test_without_an_answer_of_the_host_time_never_runs_back(data: st.DataObject):
    hooked = Hooked()
    payloads = data.draw(st.lists(st.sampled_from(real()), min_size=1, max_size=8))
    times: list[Any] = []

    for payload in payloads:
        hooked.deliver("pull_request", payload)
        times.append(hooked.known[0].updated_at)

    assert times == sorted(times)
    assert times[-1] == max(as_told(payload).updated_at for payload in payloads)
