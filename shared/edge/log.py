"""Structured logs of a Lambda: JSON lines with correlation keys, never a payload or a token."""

import logging

from aws_lambda_powertools import Logger

logger = Logger()


def _adopt_our_own() -> None:
    """What our modules log with the standard library comes out the same way, fields included."""
    ours = logging.getLogger("shared")
    ours.addHandler(logger.registered_handler)
    ours.setLevel(logging.INFO)
    ours.propagate = False


_adopt_our_own()
