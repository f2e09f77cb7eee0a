"""What an active hour costs, from what is counted in the app's own code."""

import pytest

from tests.local_aws import LocalAws
from tests.performance import prices
from tests.performance.costs import BUSY, cost, of_hour, sandbox
from tests.performance.hour import acts
from tests.performance.table import Report

pytestmark = pytest.mark.local_aws


def test_a_frame_that_is_watched_takes_three_messages_and_one_invocation(
    aws: LocalAws, report: Report
):
    hour = acts(aws, BUSY)

    report.tell(
        f"cost of an active hour at {BUSY:.0f} frames/s, without and with the sandbox",
        f"US$ {cost(of_hour(hour)):.3f}, {cost(of_hour(hour)) + sandbox():.3f}",
        budget="stated",
    )
    (words,) = (act.takes for act in hour if act.what.endswith("of words"))
    counted = (prices.WRITES, prices.READS, prices.MESSAGES, prices.INVOCATIONS)
    assert [words[name] for name in counted] == [1, 1, 3, 1]
