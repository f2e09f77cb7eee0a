"""Dollars, in as many digits as say something."""


def dollars(amount: float) -> str:
    if amount == 0:
        return "$0"
    return f"${amount:.2f}" if amount >= 1 else f"${amount:.4f}"
