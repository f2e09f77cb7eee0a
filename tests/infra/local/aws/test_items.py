"""What was acknowledged is there after `kill -9`, whole; nothing else is."""

from threading import Event, Thread
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from tests.eventually import eventually
from tests.infra.local.aws import stacks
from tests.local_aws import LocalAws

pytestmark = pytest.mark.local_aws

_CREATE_TABLE = {
    "TableName": "things",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "PK", "AttributeType": "S"},
        {"AttributeName": "SK", "AttributeType": "S"},
    ],
}


@pytest.fixture
def own(mortal: LocalAws) -> LocalAws:
    dynamodb = mortal.client("dynamodb")
    if "things" not in dynamodb.list_tables()["TableNames"]:
        dynamodb.create_table(**_CREATE_TABLE)
    return mortal


def test_no_acknowledged_transaction_is_lost_or_torn_by_kill_9(own: LocalAws) -> None:
    writers = [_Writer(own, f"writer-{number}") for number in range(3)]
    for writer in writers:
        writer.start()
    eventually(lambda: all(len(writer.acknowledged) >= 60 for writer in writers))

    own.kill()
    for writer in writers:
        writer.join()
    own.start()

    for writer in writers:
        head, rows = _stored(own, writer.partition)
        # The one in flight when the host died may have been written or not, but not in part.
        assert head in (len(writer.acknowledged), len(writer.acknowledged) + 1)
        assert rows == list(range(1, head + 1))


class _Writer(Thread):
    """Writes a head row and a numbered row in one transaction, and notes what was acknowledged."""

    def __init__(self, host: LocalAws, partition: str) -> None:
        super().__init__()
        self.partition = partition
        self.acknowledged: list[int] = []
        self._dynamodb = host.target.client("dynamodb")

    def run(self) -> None:
        try:
            while True:
                number = len(self.acknowledged) + 1
                self._dynamodb.transact_write_items(TransactItems=_step(self.partition, number))
                self.acknowledged.append(number)
        except BotoCoreError:
            return  # the host is gone


def _step(partition: str, number: int) -> list[Any]:
    head = _item(partition, "HEAD", number)
    return [
        {
            "Put": {
                "TableName": "things",
                "Item": head,
                "ConditionExpression": "attribute_not_exists(PK) OR #n = :before",
                "ExpressionAttributeNames": {"#n": "n"},
                "ExpressionAttributeValues": {":before": {"N": str(number - 1)}},
            }
        },
        {"Put": {"TableName": "things", "Item": _item(partition, f"ROW#{number:06}", number)}},
    ]


def _item(partition: str, sort: str, number: int) -> dict[str, Any]:
    return {"PK": {"S": partition}, "SK": {"S": sort}, "n": {"N": str(number)}}


def _stored(host: LocalAws, partition: str) -> tuple[int, list[int]]:
    pages = (
        host.client("dynamodb")
        .get_paginator("query")
        .paginate(
            TableName="things",
            KeyConditionExpression="PK = :p",
            ExpressionAttributeValues={":p": {"S": partition}},
        )
    )
    head, *rows = [int(item["n"]["N"]) for page in pages for item in page["Items"]]
    return head, rows


def test_a_transaction_repeated_after_a_crash_is_not_applied_twice(own: LocalAws) -> None:
    request = {
        "ClientRequestToken": "the-same-request",
        "TransactItems": [
            {
                "Update": {
                    "TableName": "things",
                    "Key": {"PK": {"S": "counter"}, "SK": {"S": "-"}},
                    "UpdateExpression": "ADD n :one",
                    "ExpressionAttributeValues": {":one": {"N": "1"}},
                }
            }
        ],
    }
    own.client("dynamodb").transact_write_items(**request)

    own.restart()
    own.client("dynamodb").transact_write_items(**request)

    assert _stored(own, "counter") == (1, [])


def test_a_token_used_for_something_else_is_refused(own: LocalAws) -> None:
    dynamodb = own.client("dynamodb")
    dynamodb.transact_write_items(ClientRequestToken="token", TransactItems=_step("a", 1))

    with pytest.raises(ClientError) as refusal:
        dynamodb.transact_write_items(ClientRequestToken="token", TransactItems=_step("b", 1))

    assert refusal.value.response["Error"]["Code"] == "IdempotentParameterMismatchException"


def test_deleted_items_stay_deleted_and_a_table_made_again_starts_empty(own: LocalAws) -> None:
    dynamodb = own.client("dynamodb")
    dynamodb.create_table(**{**_CREATE_TABLE, "TableName": "again"})
    for table, sort in (("things", "kept"), ("things", "dropped"), ("again", "old")):
        dynamodb.put_item(TableName=table, Item=_item("deleted", sort, 7))
    dynamodb.delete_item(TableName="things", Key={"PK": {"S": "deleted"}, "SK": {"S": "dropped"}})
    dynamodb.delete_table(TableName="again")
    dynamodb.create_table(**{**_CREATE_TABLE, "TableName": "again"})

    own.restart()

    assert _stored(own, "deleted") == (7, [])
    assert dynamodb.scan(TableName="again")["Count"] == 0


def test_a_stack_its_secret_and_its_index_come_back(mortal: LocalAws) -> None:
    template = stacks.template(
        stacks.table("Table"),
        {
            "Secret": {
                "Type": "AWS::SecretsManager::Secret",
                "Properties": {"GenerateSecretString": {}},
            }
        },
        outputs={"Table": stacks.ref("Table"), "Secret": stacks.ref("Secret")},
    )
    outputs = mortal.deploy(template, "ComesBack")
    item = {**_item("p", "s", 1), "kind": {"S": "effect"}, "rank": {"S": "1"}}
    mortal.client("dynamodb").put_item(TableName=outputs["Table"], Item=item)
    secret = _secret(mortal, outputs["Secret"])

    mortal.restart()

    found = mortal.client("dynamodb").query(
        TableName=outputs["Table"],
        IndexName="by_kind",
        KeyConditionExpression="kind = :kind AND begins_with(#rank, :rank)",
        ExpressionAttributeNames={"#rank": "rank"},
        ExpressionAttributeValues={":kind": {"S": "effect"}, ":rank": {"S": "1"}},
    )
    assert found["Items"] == [item]
    assert _secret(mortal, outputs["Secret"]) == secret
    assert len(secret) == 32
    stack = mortal.client("cloudformation").describe_stacks(StackName="ComesBack")["Stacks"][0]
    assert stack["StackStatus"] == "CREATE_COMPLETE"


def _secret(host: LocalAws, name: str) -> str:
    return host.client("secretsmanager").get_secret_value(SecretId=name)["SecretString"]


def test_a_reader_never_sees_half_of_a_transaction(own: LocalAws) -> None:
    writer, done = _Writer(own, "read"), Event()
    writer.start()
    reader = own.target.client("dynamodb")
    torn: list[Any] = []

    def read() -> None:
        while len(writer.acknowledged) < 60:
            items = reader.transact_get_items(TransactItems=[_get("HEAD"), _get("ROW#000060")])
            head, row = (answer.get("Item") for answer in items["Responses"])
            number = int(head["n"]["N"]) if head else 0
            if (number >= 60) != (row is not None):
                torn.append((head, row))
        done.set()

    read()
    own.kill()
    writer.join()

    assert done.is_set()
    assert torn == []


def _get(sort: str) -> dict[str, Any]:
    return {"Get": {"TableName": "things", "Key": {"PK": {"S": "read"}, "SK": {"S": sort}}}}
