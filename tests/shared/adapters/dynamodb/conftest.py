"""Each contract test runs in both worlds: in memory, and on DynamoDB as this machine has it."""

from collections.abc import Generator
from itertools import count
from random import Random
from typing import Any
from uuid import uuid4

import boto3
import pytest
from pynamodb.connection import Connection

from shared.adapters.dynamodb.database import Database, connect
from shared.adapters.dynamodb.keys import SESSION_INDEXES, definition
from shared.adapters.dynamodb.patience import Patience
from shared.adapters.dynamodb.table import Table
from tests.fakes.store_faults import Faults
from tests.shared.adapters.dynamodb.local_dynamodb import BadNetwork, served
from tests.shared.adapters.dynamodb.worlds import World, in_dynamodb, in_memory

_REGION = "eu-central-1"
_KEYS = ("outboard", "outboard")
_numbers = count(1)


@pytest.fixture(scope="session")
def endpoint() -> Generator[str]:
    with served() as url:
        yield url


@pytest.fixture(scope="session")
def connection(endpoint: str) -> Connection:
    access_key_id, secret = _KEYS
    return connect(
        region=_REGION, endpoint=endpoint, access_key_id=access_key_id, secret_access_key=secret
    )


@pytest.fixture(scope="session")
def administrator(endpoint: str) -> Any:
    access_key_id, secret = _KEYS
    return boto3.client(
        "dynamodb",
        region_name=_REGION,
        endpoint_url=endpoint,
        aws_access_key_id=access_key_id,
        aws_secret_access_key=secret,
    )


@pytest.fixture
def network(connection: Connection) -> Generator[BadNetwork]:
    network = BadNetwork(Faults())
    with network.on(connection):
        yield network


@pytest.fixture
def database(connection: Connection) -> Database:
    impatient = Patience(sleep=lambda _: None, random=Random(1).random, tries=4)
    return Database(connection, patience=impatient, new_token=lambda: uuid4().hex)


@pytest.fixture
def session_table(database: Database, administrator: Any) -> Table:
    name = f"sessions-{next(_numbers)}"
    administrator.create_table(**definition(name, *SESSION_INDEXES))
    return Table(database, name, *SESSION_INDEXES)


@pytest.fixture
def workspace_table(database: Database, administrator: Any) -> Table:
    name = f"workspace-{next(_numbers)}"
    administrator.create_table(**definition(name))
    return Table(database, name)


@pytest.fixture
def dynamodb(session_table: Table, workspace_table: Table, network: BadNetwork) -> World:
    return in_dynamodb(session_table, workspace_table, network.faults)


@pytest.fixture(params=["memory", pytest.param("dynamodb", marks=pytest.mark.local_aws)])
def world(request: pytest.FixtureRequest) -> World:
    if request.param == "memory":
        return in_memory()
    return request.getfixturevalue("dynamodb")
