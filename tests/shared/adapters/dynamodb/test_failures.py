"""What each answer of DynamoDB means to us, without a DynamoDB: the answers are written here."""

from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)
from pynamodb.exceptions import PynamoDBException

from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.table import Query, Table
from shared.adapters.dynamodb.writes import ABSENT, Put, item
from shared.domain.errors import Contended, Unavailable
from tests.shared.adapters.dynamodb.bad_network import answer

PUT = Put(item("a", "b"), ABSENT)


class Answers:
    """In the place of the network: one after the other, each as often as it takes."""

    def __init__(self, *script: Exception | tuple[int, dict[str, Any]]) -> None:
        self._script = list(script)
        self.asked = 0

    def __call__(self, request: Any, **_: Any) -> AWSResponse:
        self.asked += 1
        now = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if isinstance(now, Exception):
            raise now
        return answer(request, *now)


def table(answers: Answers) -> Table:
    connection = connect(region="eu-central-1", access_key_id="a", secret_access_key="b")
    connection.client.meta.events.register("before-send.dynamodb", answers)
    patience = Patience(sleep=lambda _: None, random=lambda: 0.0, tries=3)
    return Table(Database(connection, patience=patience, new_token=lambda: "token"), "sessions")


def error(code: str, status: int = 400, **more: Any) -> tuple[int, dict[str, Any]]:
    return status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": code, **more}


def cancelled(*codes: str) -> tuple[int, dict[str, Any]]:
    reasons = [{"Code": code} for code in codes]
    return error("TransactionCanceledException", CancellationReasons=reasons)


DONE = (200, {})
UNKNOWN = [
    ReadTimeoutError(endpoint_url="x"),
    ConnectTimeoutError(endpoint_url="x"),
    ConnectionClosedError(endpoint_url="x"),
    EndpointConnectionError(endpoint_url="x"),
    error("InternalServerError", 500),
    error("ServiceUnavailable", 503),
    error("ThrottlingException"),
    error("RequestLimitExceeded"),
    error("ProvisionedThroughputExceededException"),
    error("TransactionConflictException"),
]


@pytest.mark.parametrize("given", UNKNOWN, ids=repr)
def test_an_unknown_result_of_a_write_is_asked_about_again(given: Any):
    answers = Answers(given, DONE)

    table(answers).write(PUT)

    assert answers.asked == 2


@pytest.mark.parametrize("given", UNKNOWN[:-1], ids=repr)
def test_what_stays_unknown_is_unavailable(given: Any):
    answers = Answers(given)

    with pytest.raises(Unavailable):
        table(answers).write(PUT)

    assert answers.asked == 3


def test_reads_are_asked_again_too():
    answers = Answers(ReadTimeoutError(endpoint_url="x"), (200, {"Items": [], "Count": 0}))

    assert table(answers).page(Query(partition="a")).items == []


@pytest.mark.parametrize(
    "given",
    [
        cancelled("TransactionConflict", "None"),
        cancelled("None", "ThrottlingError"),
        cancelled("ProvisionedThroughputExceeded", "None"),
        cancelled("ConditionalCheckFailed", "TransactionConflict"),
        error("TransactionInProgressException"),
    ],
    ids=repr,
)
def test_a_transaction_that_met_others_is_asked_again(given: Any):
    answers = Answers(given, DONE)
    sessions = table(answers)

    refusals = sessions.database.transact([sessions.step("a", PUT), sessions.step("b", PUT)])

    assert refusals == {}
    assert answers.asked == 2


def test_a_transaction_that_always_meets_others_is_contended():
    sessions = table(Answers(cancelled("TransactionConflict")))

    with pytest.raises(Contended):
        sessions.database.transact([sessions.step("a", PUT)])


def test_a_refused_transaction_names_what_stood_in_the_way():
    reasons = [
        {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Item": {"PK": {"S": "a"}}},
        {"Code": "ConditionalCheckFailed"},
    ]
    answers = Answers(error("TransactionCanceledException", CancellationReasons=reasons))
    sessions = table(answers)

    refusals = sessions.database.transact([sessions.step(name, PUT) for name in "abc"])

    assert refusals == {"b": {"PK": {"S": "a"}}, "c": None}
    assert answers.asked == 1


@pytest.mark.parametrize(
    "given", [error("ValidationException"), error("AccessDeniedException")], ids=repr
)
def test_a_bug_stays_the_vendors_error(given: Any):
    answers = Answers(given)

    with pytest.raises(ClientError):
        table(answers).write(PUT)

    assert answers.asked == 1


def test_a_transaction_that_is_malformed_stays_the_vendors_error():
    sessions = table(Answers(cancelled("ValidationError")))

    with pytest.raises(PynamoDBException):
        sessions.database.transact([sessions.step("a", PUT)])


def test_missing_credentials_are_not_waited_for():
    answers = Answers(NoCredentialsError())

    with pytest.raises(NoCredentialsError):
        table(answers).write(PUT)

    assert answers.asked == 1


def test_keys_that_a_batch_left_over_are_asked_for_again():
    def batch(*found: str, left: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:
        items = [{"PK": {"S": name}, "SK": {"S": "x"}} for name in found]
        keys = [{"PK": {"S": name}, "SK": {"S": "x"}} for name in left]
        unprocessed = {"sessions": {"Keys": keys}} if keys else {}
        return 200, {"Responses": {"sessions": items}, "UnprocessedKeys": unprocessed}

    answers = Answers(batch("a", left=("b", "c")), batch("b", left=("c",)), batch("c"))

    found = table(answers).get_all([(name, "x") for name in "abc"])

    assert [each["PK"]["S"] for each in found] == ["a", "b", "c"]
