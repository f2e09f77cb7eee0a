"""What whoever deploys may choose: one parameter for each such setting, and where it all runs."""

from datetime import timedelta

from aws_cdk import CfnCondition, CfnParameter, Fn
from constructs import Construct

from infra.names import CHOSEN, EXECUTE_API_BASE, parameter
from shared import settings


class Choices(Construct):
    """`ExecuteApiBase` is empty on AWS. On one machine it is the host, port and path under which
    the local AWS host serves all APIs, and every URL below is made of it.
    """

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self._values = {chosen: _choice(self, chosen) for chosen in CHOSEN}
        self._base = CfnParameter(
            self,
            EXECUTE_API_BASE,
            default="",
            description="Empty on AWS; on one machine 127.0.0.1:<port>/_aws/execute-api",
        )
        self._base.override_logical_id(EXECUTE_API_BASE)
        self._local = CfnCondition(
            self,
            "OneMachine",
            expression=Fn.condition_not(Fn.condition_equals(self._base.value_as_string, "")),
        )
        self._local.override_logical_id("OneMachine")

    def value(self, name: str) -> str:
        return self._values[name]

    @property
    def loopback(self) -> str:
        return self._either(settings.text(value=True), "")

    def api_url(self, *, scheme: str, host: str, api: str, stage: str) -> str:
        """`host` is the API's own on AWS; an empty stage is AWS's default one."""
        here = f"{scheme}://{self._base.value_as_string}/{api}/{stage or '$default'}"
        secure = f"{scheme}s://{host}" + (f"/{stage}" if stage else "")
        return self._either(here, secure)

    def _either(self, on_one_machine: str, on_aws: str) -> str:
        return Fn.condition_if(self._local.logical_id, on_one_machine, on_aws).to_string()


def _choice(scope: Construct, name: str) -> str:
    default = settings.default(name)
    kind = "Number" if isinstance(default, timedelta) else "String"
    chosen = CfnParameter(scope, parameter(name), type=kind, default=settings.text(default))
    chosen.override_logical_id(parameter(name))
    return chosen.value_as_string if kind == "String" else chosen.value.to_string()
