"""Each contract test runs in both worlds: in memory, and on DynamoDB as this machine has it."""

from collections.abc import Generator
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from pynamodb.connection import Connection

from infra.local.aws import emulator
from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.keys import PK, SESSION_INDEXES, SK, definition
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.table import Table
from tests.fakes.store_faults import Faults
from tests.local_aws import LocalAws
from tests.shared.adapters.dynamodb.bad_network import BadNetwork
from tests.shared.adapters.dynamodb.worlds import World, in_dynamodb, in_memory


@pytest.fixture(scope="session")
def aws() -> Generator[LocalAws]:
    with LocalAws(checkout=None) as aws:
        yield aws


@pytest.fixture(scope="session")
def connection(aws: LocalAws) -> Connection:
    return connect(
        region=emulator.REGION,
        endpoint=aws.endpoint,
        access_key_id=aws.key.id,
        secret_access_key=aws.key.secret,
    )


@pytest.fixture
def network(connection: Connection) -> Generator[BadNetwork]:
    network = BadNetwork(Faults())
    with network.on(connection):
        yield network


@pytest.fixture(scope="session")
def database(connection: Connection) -> Database:
    impatient = Patience(sleep=lambda _: None, random=Random(1).random, tries=4)
    return Database(connection, patience=impatient, new_token=lambda: uuid4().hex)


@pytest.fixture(scope="session")
def tables(database: Database, aws: LocalAws) -> tuple[Table, Table]:
    """Made once and emptied after each test, which is faster than making them anew."""
    create = aws.client("dynamodb").create_table
    create(**definition("sessions", *SESSION_INDEXES))
    create(**definition("workspace"))
    return Table(database, "sessions", *SESSION_INDEXES), Table(database, "workspace")


@pytest.fixture
def session_table(tables: tuple[Table, Table], aws: LocalAws) -> Generator[Table]:
    yield tables[0]
    _empty(aws.client("dynamodb"), "sessions")


@pytest.fixture
def workspace_table(tables: tuple[Table, Table], aws: LocalAws) -> Generator[Table]:
    yield tables[1]
    _empty(aws.client("dynamodb"), "workspace")


@pytest.fixture
def dynamodb(session_table: Table, workspace_table: Table, network: BadNetwork) -> World:
    return in_dynamodb(session_table, workspace_table, network.faults)


@pytest.fixture(params=["memory", pytest.param("dynamodb", marks=pytest.mark.local_aws)])
def world(request: pytest.FixtureRequest) -> World:
    if request.param == "memory":
        return in_memory()
    return request.getfixturevalue("dynamodb")


def _empty(client: Any, table: str) -> None:
    for page in client.get_paginator("scan").paginate(TableName=table):
        gone = [
            {"DeleteRequest": {"Key": {key: row[key] for key in (PK, SK)}}} for row in page["Items"]
        ]
        for start in range(0, len(gone), 25):
            client.batch_write_item(RequestItems={table: gone[start : start + 25]})
