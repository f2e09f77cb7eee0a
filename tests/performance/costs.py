"""`python -m tests.performance.costs`: what an active hour of one session costs, as markdown.

It starts the local AWS host, counts in it what each thing that happens takes, and multiplies.
"""

import sys
from collections.abc import Iterator, Sequence

from tests.local_aws import LocalAws
from tests.performance import prices
from tests.performance.hour import Act, Quantities, acts, total

BUSY, MOST = 2.0, 5.0
"""Frames a second: assumed of an agent that works all the time, and a bridge's most."""


def of_hour(hour: Sequence[Act]) -> Quantities:
    return total(*({name: n * act.times for name, n in act.takes.items()} for act in hour))


def cost(takes: Quantities) -> float:
    return sum(prices.PRICES[name].of(quantity) for name, quantity in takes.items())


def sandbox() -> float:
    cpu = prices.SANDBOX_CPU.of(3600 * prices.SANDBOX_CPUS)
    return cpu + prices.SANDBOX_MEMORY.of(3600 * prices.SANDBOX_GIB)


def main() -> None:
    with LocalAws(checkout=None) as aws:
        for frames_a_second in (BUSY, MOST):
            hour = acts(aws, frames_a_second)
            _say(f"### {frames_a_second:.0f} frames a second, for the whole hour\n")
            _table(("what happens", "times", "US$"), _by_act(hour))
            _table(("what is paid for", "quantity", "US$"), _by_price(hour))
    _say("### The sandbox, paid to E2B\n")
    _table(("what", "US$ an hour"), _sandbox())
    _say("### The list prices\n")
    _table(("what", "US$", "for", "source"), _prices())


def _by_act(hour: Sequence[Act]) -> Iterator[tuple[str, ...]]:
    for act in hour:
        yield act.what, f"{act.times:,.0f}", f"{act.times * cost(act.takes):.4f}"
    yield "**together**", "", f"**{cost(of_hour(hour)):.4f}**"


def _by_price(hour: Sequence[Act]) -> Iterator[tuple[str, ...]]:
    whole = of_hour(hour)
    for name, price in prices.PRICES.items():
        quantity = whole.get(name, 0)
        yield (
            name,
            f"{quantity:,.0f}" if quantity >= 1 else f"{quantity:.4f}",
            (f"{price.of(quantity):.4f}"),
        )


def _sandbox() -> Iterator[tuple[str, ...]]:
    cpu = prices.SANDBOX_CPU.of(3600 * prices.SANDBOX_CPUS)
    memory = prices.SANDBOX_MEMORY.of(3600 * prices.SANDBOX_GIB)
    yield f"{prices.SANDBOX_CPUS} vCPU", f"{cpu:.4f}"
    yield f"{prices.SANDBOX_GIB} GiB of memory", f"{memory:.4f}"
    yield "**together**", f"**{sandbox():.4f}**"


def _prices() -> Iterator[tuple[str, ...]]:
    sandbox = {"vCPU-seconds": prices.SANDBOX_CPU, "GiB-seconds": prices.SANDBOX_MEMORY}
    for name, price in {**prices.PRICES, **sandbox}.items():
        yield (
            name,
            f"{price.dollars:.10f}".rstrip("0").rstrip("."),
            f"{price.per:,.0f}",
            price.source,
        )


def _table(head: Sequence[str], rows: Iterator[tuple[str, ...]]) -> None:
    for cells in (head, ("---",) * len(head), *rows):
        _say(f"| {' | '.join(cells)} |")
    _say("")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
