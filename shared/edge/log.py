"""Structured logs of a Lambda: JSON lines with correlation keys, never a payload or a token."""

import logging

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging import utils

logger = Logger()


def adopt_library_loggers() -> None:
    """Have what our own modules log with the standard library come out the same way."""
    utils.copy_config_to_registered_loggers(
        source_logger=logger, log_level=logging.INFO, include={"shared"}
    )
