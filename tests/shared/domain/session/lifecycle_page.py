"""Draws the diagrams of `docs/lifecycle.md` from the tables of the rules.

`python -m tests.shared.domain.session.lifecycle_page` writes the page anew after a table changed.
"""

from collections.abc import Mapping
from pathlib import Path

from shared.domain.session.moves import SANDBOX_MOVES, SESSION_MOVES

PAGE = Path(__file__).parents[4] / "docs/lifecycle.md"


def drawn_anew(page: str) -> str:
    page = _replaced(page, "SESSION_MOVES", _diagram(SESSION_MOVES))
    return _replaced(page, "SANDBOX_MOVES", _diagram(SANDBOX_MOVES))


def _replaced(page: str, name: str, diagram: str) -> str:
    start, end = f"<!-- drawn from {name} -->\n", "<!-- end -->"
    before, _, rest = page.partition(start)
    _, found, after = rest.partition(end)
    assert found, f"the page has no diagram of {name}"
    return f"{before}{start}```mermaid\n{diagram}```\n{end}{after}"


def _diagram[S: str](moves: Mapping[S, frozenset[S]]) -> str:
    """In the order of the table, whose first status is where everything begins."""
    first = next(iter(moves))
    arrows = [
        f"    {before} --> {after}" for before in moves for after in moves if after in moves[before]
    ]
    ends = [f"    {status} --> [*]" for status, after in moves.items() if not after]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {first}", *arrows, *ends, ""])


if __name__ == "__main__":
    PAGE.write_text(drawn_anew(PAGE.read_text()))
