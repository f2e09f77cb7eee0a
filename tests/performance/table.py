"""What was measured beside its budget, as a table for a terminal and for a page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

_HEAD = ("what", "budget", "measured", "met")


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    budget: str
    measured: str
    met: bool | None = None
    """None: there is no budget, it is only told."""

    @property
    def cells(self) -> tuple[str, str, str, str]:
        verdict = {True: "yes", False: "NO", None: ""}[self.met]
        return (self.what, self.budget, self.measured, verdict)


@dataclass(slots=True)
class Report:
    rows: list[Row] = field(default_factory=list[Row])

    def tell(self, what: str, measured: str, *, budget: str = "", met: bool | None = None) -> None:
        self.rows.append(Row(what, budget, measured, met))

    def lines(self) -> Iterable[str]:
        table = [_HEAD, *(row.cells for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for cells in table:
            padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
            yield "  ".join(padded).rstrip()

    def markdown(self) -> str:
        rows = [_HEAD, ("---",) * len(_HEAD), *(row.cells for row in self.rows)]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def percentile(values: Iterable[float], percent: float) -> float:
    """The smallest value that so many percent of all are not above."""
    ordered: Sequence[float] = sorted(values)
    rank = -(-len(ordered) * percent // 100)
    return ordered[max(0, int(rank) - 1)]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1_000:.0f} ms"
