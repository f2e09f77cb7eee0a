from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared import settings
from shared.domain.session.rules import DEFAULT_RULES
from shared.settings import Settings


def test_an_empty_environment_means_the_defaults():
    assert Settings.from_env({}) == Settings()


def test_the_defaults_are_the_rules_of_the_product():
    assert Settings().connect_watchdog == DEFAULT_RULES.connect_watchdog
    assert Settings().sandbox_boot_timeout == DEFAULT_RULES.boot_budget
    assert Settings().heartbeat_timeout == DEFAULT_RULES.heartbeat
    assert Settings().sandbox_inactivity_timeout == DEFAULT_RULES.inactivity


def test_each_setting_has_a_variable_of_its_own():
    variables = [settings.variable(name) for name in settings.names()]

    assert len(set(variables)) == len(variables)
    assert "SANDBOX_INACTIVITY_TIMEOUT_MS" in variables
    assert "SESSION_TABLE" in variables


def test_variables_of_other_programs_are_ignored():
    assert Settings.from_env({"PATH": "/usr/bin"}) == Settings()


@given(
    st.builds(
        Settings,
        session_table=st.text(min_size=1),
        loopback=st.booleans(),
        sandbox_lifetime=st.integers(min_value=1, max_value=10**12).map(
            lambda ms: timedelta(milliseconds=ms)
        ),
    )
)
def test_what_is_written_into_an_environment_is_what_is_read_from_it(written):
    env = {
        settings.variable(name): settings.text(getattr(written, name)) for name in settings.names()
    }

    assert Settings.from_env(env) == written


@pytest.mark.parametrize("nonsense", ["soon", "-1", "1.5", "0"])
def test_a_duration_that_is_none_is_refused_by_name(nonsense):
    with pytest.raises(ValueError, match="CONNECT_WATCHDOG_MS"):
        Settings.from_env({"CONNECT_WATCHDOG_MS": nonsense})
