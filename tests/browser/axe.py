"""Accessibility of a page as it stands now, by the rules of WCAG 2 A and AA."""

from typing import Any

from playwright.sync_api import Page

from tests.e2e.machine import ROOT

SCRIPT = ROOT / "functions/web/client/node_modules/axe-core/axe.min.js"
LEVELS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")

_RUN = """
async (levels) => {
  const options = { runOnly: levels, resultTypes: ["violations"], elementRef: false };
  const { violations } = await axe.run(document, options);
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map((node) => `${node.target.join(" ")}: ${node.failureSummary}`),
  }));
}
"""


def violations(page: Page) -> list[str]:
    """The script comes in by the browser's debugger, so that the page keeps its content policy."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(f"{SCRIPT.read_text()}; 0")
    found: list[dict[str, Any]] = page.evaluate(_RUN, list(LEVELS))
    return [f"{each['id']}: {each['help']}\n  {'\n  '.join(each['where'])}" for each in found]
