"""How a finding is said."""


class Violation(AssertionError):
    """What the simulation is there to find: the message is one sentence."""


def must(holds: object, sentence: str) -> None:
    if not holds:
        raise Violation(sentence)
