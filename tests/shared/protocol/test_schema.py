"""The wire as the browser's types are generated from it."""

from typing import Any

from shared.protocol.schema import schema

DEFINITIONS: dict[str, Any] = schema()["definitions"]


def test_what_the_server_answers_has_all_of_its_fields() -> None:
    frame = DEFINITIONS["FrameMessage"]

    assert set(frame["required"]) == set(frame["properties"])


def test_an_event_of_an_older_bridge_may_lack_what_has_a_default() -> None:
    tool = DEFINITIONS["ToolEvent"]

    assert tool["required"] == ["type", "prompt", "call", "tool", "status"]


def test_what_a_browser_asks_may_leave_out_what_has_a_default() -> None:
    subscribe = DEFINITIONS["SubscribeMessage"]

    assert subscribe["required"] == ["type"]


def test_names_tell_the_wires_apart() -> None:
    assert {"PromptAccepted", "PromptAcceptedMessage", "PromptQueuedEvent"} <= set(DEFINITIONS)
    assert not [name for name in DEFINITIONS if "__" in name]


def test_every_reference_is_defined() -> None:
    assert {_name(place) for place in _references(DEFINITIONS)} <= set(DEFINITIONS)


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        found: dict[str, Any] = value
        here = [found["$ref"]] if isinstance(found.get("$ref"), str) else []
        return here + [place for inner in found.values() for place in _references(inner)]
    if isinstance(value, list):
        parts: list[Any] = value
        return [place for part in parts for place in _references(part)]
    return []


def _name(place: str) -> str:
    return place.rpartition("/")[2]
