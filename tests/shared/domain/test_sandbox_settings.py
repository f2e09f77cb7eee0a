"""What may be chosen about sandboxes, and what a blank means."""

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Invalid
from shared.domain.sandbox_settings import (
    MAX_LIFETIME,
    MIN_FINAL_BUFFER,
    NOTHING_CHOSEN,
    SandboxSettings,
)

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
SETTINGS = st.builds(
    SandboxSettings,
    lifetime=st.none() | st.timedeltas(SECOND, MAX_LIFETIME),
    final_buffer=st.none() | st.timedeltas(MIN_FINAL_BUFFER, MAX_LIFETIME),
    inactivity=st.none() | st.timedeltas(MINUTE, HOUR),
    tunnel_ports=st.none() | st.lists(st.integers(1, 9), max_size=3).map(tuple),
    cpu_cores=st.none() | st.integers(1, 8),
    memory_mib=st.none() | st.integers(512, 4096),
)


@given(SETTINGS, SETTINGS)
def test_a_blank_inherits_and_a_choice_does_not(own: SandboxSettings, inherited: SandboxSettings):
    together = own.over(inherited)

    for field in fields(SandboxSettings):
        chosen, above = getattr(own, field.name), getattr(inherited, field.name)
        assert getattr(together, field.name) == (above if chosen is None else chosen)


@given(SETTINGS, SETTINGS, SETTINGS)
def test_it_does_not_matter_which_levels_are_put_together_first(
    own: SandboxSettings, middle: SandboxSettings, top: SandboxSettings
):
    assert own.over(middle).over(top) == own.over(middle.over(top))
    assert own.over(NOTHING_CHOSEN) == own == NOTHING_CHOSEN.over(own)


def test_no_ports_are_a_choice():
    several = SandboxSettings(tunnel_ports=(3000,))

    assert SandboxSettings(tunnel_ports=()).over(several).tunnel_ports == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("lifetime", 59 * SECOND),
        ("lifetime", 24 * HOUR + SECOND),
        ("lifetime", HOUR + timedelta(milliseconds=1)),
        ("final_buffer", 5 * MINUTE - SECOND),
        ("inactivity", timedelta()),
        ("inactivity", 13 * HOUR),
        ("tunnel_ports", (0,)),
        ("tunnel_ports", (65_536,)),
        ("tunnel_ports", (3000, 3000)),
        ("tunnel_ports", (49_983,)),
        ("tunnel_ports", tuple(range(3000, 3011))),
        ("cpu_cores", 0),
        ("memory_mib", 511),
    ],
)
def test_what_cannot_be_names_its_field(field: str, value: Any):
    with pytest.raises(Invalid) as refused:
        replace(NOTHING_CHOSEN, **{field: value}).check()

    assert refused.value.field == field


def test_what_can_be_is_let_pass():
    NOTHING_CHOSEN.check()
    SandboxSettings(
        lifetime=MINUTE,
        final_buffer=5 * MINUTE,
        inactivity=MINUTE,
        tunnel_ports=(1, 65_535),
        cpu_cores=1,
        memory_mib=512,
    ).check()


@pytest.mark.parametrize(
    ("lifetime", "buffer", "leaves"),
    [
        (HOUR, HOUR, False),
        (HOUR, 2 * HOUR, False),
        (HOUR, HOUR - SECOND, True),
        (HOUR, None, True),
        (None, HOUR, True),
    ],
)
def test_a_final_buffer_has_to_leave_time(
    lifetime: timedelta | None, buffer: timedelta | None, *, leaves: bool
):
    assert SandboxSettings(lifetime=lifetime, final_buffer=buffer).leaves_time is leaves
