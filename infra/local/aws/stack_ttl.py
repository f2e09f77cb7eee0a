"""A table's time to live is what its stack says.

MiniStack's CloudFormation passes over TimeToLiveSpecification, so nothing would ever expire.
"""

from collections.abc import Callable
from typing import Any

from ministack.services import dynamodb
from ministack.services.cloudformation import provisioners

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"


def install() -> None:
    for resource in ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"):
        handlers = provisioners._RESOURCE_HANDLERS[resource]
        handlers["create"] = _then_expire(handlers["create"], properties_at=1)
        handlers["update"] = _then_expire(handlers["update"], properties_at=2)


def _then_expire(provision: Callable[..., Any], properties_at: int) -> Callable[..., Any]:
    def provision_and_expire(*arguments: Any) -> Any:
        made = provision(*arguments)
        _expire(made[0], arguments[properties_at].get("TimeToLiveSpecification"))
        return made

    return provision_and_expire


def _expire(table: str, specification: Any) -> None:
    if specification is None:
        dynamodb._ttl_settings.pop(table, None)
        return
    enabled = specification.get("Enabled") in (True, "true")
    dynamodb._update_ttl({
        "TableName": table,
        "TimeToLiveSpecification": {**specification, "Enabled": enabled},
    })  # fmt: skip
