"""When a bucket's objects expire is what its stack says.

MiniStack's CloudFormation passes over LifecycleConfiguration, so nothing would ever expire.
"""

from collections.abc import Callable
from typing import Any

from ministack.services import s3
from ministack.services.cloudformation import provisioners

from infra.local.aws import emulator

assert emulator.VERSION == "1.5.33", "written for the private names of this MiniStack"


def install() -> None:
    handlers = provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]
    handlers["create"] = _then_expire(handlers["create"], properties_at=1)
    handlers["update"] = _then_expire(handlers["update"], properties_at=2)


def _then_expire(provision: Callable[..., Any], properties_at: int) -> Callable[..., Any]:
    def provision_and_expire(*arguments: Any) -> Any:
        made = provision(*arguments)
        configuration = arguments[properties_at].get("LifecycleConfiguration") or {}
        rules = [_rule(rule) for rule in configuration.get("Rules", ())]
        if rules:
            s3._bucket_lifecycle[made[0]] = rules
        else:
            s3._bucket_lifecycle.pop(made[0], None)
        return made

    return provision_and_expire


def _rule(given: Any) -> dict[str, Any]:
    """In the words of S3's own API, as the emulator keeps them."""
    rule: dict[str, Any] = {
        "ID": given.get("Id", ""),
        "Status": given["Status"],
        "Filter": {"Prefix": given.get("Prefix", "")},
    }
    if "ExpirationInDays" in given:
        rule["Expiration"] = {"Days": int(given["ExpirationInDays"])}
    return rule
