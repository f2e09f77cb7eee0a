"""What a failed call to DynamoDB means: refused, cancelled, unknown, or a bug.

* `Refused`: the condition of a single write did not hold
* `Cancelled`: conditions of a transaction did not hold
* `Unknown`: nobody can say whether it was applied, or it may succeed when asked again

Everything else (a malformed request, a missing table or permission) stays the vendor's error.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from botocore import exceptions as vendor
from pynamodb.exceptions import CancellationReason, PynamoDBException, VerboseClientError

from shared.adapters.dynamodb.writes import Item


@dataclass(slots=True, eq=False)
class Refused(Exception):
    item: Item | None
    """What is there; None: nothing is."""


@dataclass(slots=True, eq=False)
class Cancelled(Exception):
    refused: Mapping[int, Item | None]
    """By position in the transaction: what is there."""


@dataclass(slots=True, eq=False)
class Unknown(Exception):
    code: str
    contended: bool = False
    """Another transaction was at the same item: this one was not applied."""


_CONDITION = "ConditionalCheckFailed"
_CONFLICT = "TransactionConflict"
_CONTENDED = {_CONFLICT, "TransactionConflictException", "TransactionInProgressException"}
_THROTTLED = {
    "ProvisionedThroughputExceeded",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingError",
    "ThrottlingException",
}
_AGAIN = _CONTENDED | _THROTTLED


@contextmanager
def understood() -> Generator[None]:
    try:
        yield
    except PynamoDBException as error:
        raise _meaning(error.cause) or error from error
    except (vendor.BotoCoreError, vendor.ClientError) as error:
        raise _meaning(error) or error from error


def _meaning(error: Exception | None) -> Exception | None:
    match error:
        case vendor.HTTPClientError() | vendor.ConnectionError() | vendor.IncompleteReadError():
            return Unknown(type(error).__name__)
        case VerboseClientError(__cause__=vendor.ClientError() as original):
            return _answer(original.response, error.cancellation_reasons)
        case _:
            return None


def _answer(
    response: Mapping[str, Any], reasons: list[CancellationReason | None]
) -> Exception | None:
    code = str(response["Error"]["Code"])
    if code == f"{_CONDITION}Exception":
        return Refused(response.get("Item"))
    if reasons:
        return _cancellation(reasons)
    status = response["ResponseMetadata"]["HTTPStatusCode"]
    if code in _AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Unknown(code, contended=code in _CONTENDED)
    return None


def _cancellation(reasons: list[CancellationReason | None]) -> Exception | None:
    codes = {reason.code for reason in reasons if reason}
    for code in sorted(codes & _AGAIN):
        return Unknown(code, contended=code in _CONTENDED)
    if codes != {_CONDITION}:
        return None
    refused = {index: reason.raw_item for index, reason in enumerate(reasons) if reason}
    return Cancelled(refused)
