"""Structured logs of a Lambda: JSON lines with correlation keys, never a payload or a token."""

from aws_lambda_powertools import Logger

logger = Logger()
