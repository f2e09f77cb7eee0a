"""Every message survives its wire, and each wire has the posture that its two ends need."""

from typing import Any, TypeAliasType, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

from shared.protocol import bridge, client, events, server_events
from shared.protocol.base import Strict, Tolerant
from tests.shared.protocol.messages import ALL, WIRES, values


def members(union: TypeAliasType) -> tuple[type[BaseModel], ...]:
    return get_args(get_args(union.__value__)[0])


def name(value: Any) -> str:
    """`Ack` of which wire; the name of anything else."""
    return f"{value.__module__.rpartition('.')[2]}.{value.__name__}"


ADAPTERS: dict[TypeAliasType, TypeAdapter[Any]] = {
    bridge.FromBridge: bridge.FROM_BRIDGE,
    bridge.ToBridge: bridge.TO_BRIDGE,
    client.FromClient: client.FROM_CLIENT,
    client.ToClient: client.TO_CLIENT,
    events.BridgeEvent: TypeAdapter(events.BridgeEvent),
}
UNIONS = tuple(ADAPTERS)
MEMBERS = [(union, kind) for union in UNIONS for kind in members(union)]
OF_BROWSERS = [kind for kind in ALL if issubclass(kind, Strict)]
OF_BRIDGES = [kind for kind in ALL if issubclass(kind, Tolerant)]
FEW = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("kind", ALL, ids=name)
@FEW
@given(data=st.data())
def test_a_message_comes_out_as_it_went_in(kind: type[BaseModel], data: st.DataObject):
    message = data.draw(values(kind))

    sent = message.model_dump_json(by_alias=True)

    assert kind.model_validate_json(sent) == message


@pytest.mark.parametrize(("union", "kind"), MEMBERS, ids=name)
@FEW
@given(data=st.data())
def test_a_wire_tells_its_messages_apart(
    union: TypeAliasType, kind: type[BaseModel], data: st.DataObject
):
    message = data.draw(values(kind))

    received = ADAPTERS[union].validate_json(message.model_dump_json(by_alias=True))

    assert type(received) is kind
    assert received == message


@pytest.mark.parametrize("kind", OF_BROWSERS, ids=name)
@FEW
@given(data=st.data())
def test_a_browser_that_says_something_unknown_hears_about_it(
    kind: type[BaseModel], data: st.DataObject
):
    sent = data.draw(values(kind)).model_dump(mode="json", by_alias=True)

    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        kind.model_validate(sent | {"surprise": 1})


@pytest.mark.parametrize("kind", OF_BRIDGES, ids=name)
@FEW
@given(data=st.data())
def test_a_bridge_of_another_age_is_understood(kind: type[BaseModel], data: st.DataObject):
    message = data.draw(values(kind))
    sent = message.model_dump(mode="json", by_alias=True)

    assert kind.model_validate(sent | {"surprise": 1}) == message


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.__name__)
def test_a_wire_has_one_posture(wire: Any):
    kinds = [kind for kind in ALL if kind.__module__ == wire.__name__]

    assert kinds
    assert all(issubclass(kind, WIRES[wire]) for kind in kinds)


@pytest.mark.parametrize("kind", ALL, ids=name)
def test_messages_are_values(kind: type[BaseModel]):
    assert kind.model_config.get("frozen") is True


@pytest.mark.parametrize("union", UNIONS, ids=name)
def test_no_two_messages_of_a_wire_have_the_same_type(union: TypeAliasType):
    types = [kind.model_fields["type"].default for kind in members(union)]

    assert len(set(types)) == len(types)


def test_what_changes_state_is_something_a_bridge_says():
    said = {kind.model_fields["type"].default for kind in members(events.BridgeEvent)}

    assert said > events.CHANGES_STATE


def test_what_only_the_server_says_is_named():
    says = get_args(server_events.ServerEvent.__value__)

    assert {kind.model_fields["type"].default for kind in says} == server_events.SERVER_SAYS


@pytest.mark.parametrize("union", UNIONS, ids=name)
@pytest.mark.parametrize("sent", ["", "null", "[]", "{}", '{"type": "surprise"}', '{"type": 1}'])
def test_what_is_no_message_of_a_wire_is_refused(union: TypeAliasType, sent: str):
    with pytest.raises(ValidationError):
        ADAPTERS[union].validate_json(sent)


def test_events_that_nobody_knows_come_through_as_they_are():
    event = {"type": "from_the_future", "nested": {"snake_case": [1, None, "é"]}}
    frame = bridge.FrameMessage(id="f1", after="c", events=[event])

    received = bridge.FROM_BRIDGE.validate_json(frame.model_dump_json(by_alias=True))

    assert isinstance(received, bridge.FrameMessage)
    assert received.events == [event]


def test_half_a_character_is_no_json():
    sent = '{"type": "frame", "id": "f1", "after": "c", "events": [{"type": "x", "t": "\\ud800"}]}'

    with pytest.raises(ValidationError, match="Invalid JSON"):
        bridge.FROM_BRIDGE.validate_json(sent)
