"""What it costs a bridge to look for secrets in all that it says."""

import random
import string
import time
from collections.abc import Callable

from sandbox_bridge.redaction import Redactor, Stream
from tests.performance.table import Report

SECRETS = 30
LONG_KEY_LINES = 27
OUTPUT_CHARS = 30_000
DELTAS = 5_000
ROUNDS = 5


def test_what_looking_for_secrets_costs_is_told(report: Report):
    chance = random.Random(7)
    redact = Redactor(_environment(chance))
    output = " ".join(_word(chance, chance.randint(1, 12)) for _ in range(OUTPUT_CHARS // 7))
    deltas = [f"{_word(chance, 4)} " for _ in range(DELTAS)]
    stream = Stream(redact)

    built = _took(lambda: Redactor(_environment(chance)))
    whole = _took(lambda: redact(output))
    pieces = _took(lambda: [stream.feed(delta) for delta in deltas])

    secrets = f"{SECRETS} secrets and a key of {LONG_KEY_LINES} lines"
    report.tell(f"forms of {secrets}", f"{redact.forms:,}")
    report.tell("built anew", f"{built * 1e3:.1f} ms")
    report.tell(f"an output of {len(output):,} characters", f"{whole * 1e3:.2f} ms")
    report.tell("a text delta", f"{pieces / DELTAS * 1e6:.0f} µs")
    assert redact(output) == output


def _environment(chance: random.Random) -> dict[str, str]:
    key = "\n".join(_word(chance, 64) for _ in range(LONG_KEY_LINES))
    return {f"TOKEN_{n}": _word(chance, 40) for n in range(SECRETS)} | {"PRIVATE_KEY": key}


def _word(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(string.ascii_letters + string.digits, k=length))


def _took(work: Callable[[], object]) -> float:
    """The best of a few: the others were disturbed."""
    took: list[float] = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)
