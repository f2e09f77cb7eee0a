"""`sandbox_life` as a resource, under a name that is known before it exists."""

import json

from aws_cdk import ArnFormat, Aws, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as stepfunctions
from constructs import Construct

from infra import sandbox_life


class LifeMachine(Construct):
    """The machine calls `sandbox_task`, and `sandbox_task` starts the next life: each names the
    other. The circle is cut by the machine's name, made of the stack's, so that its ARN is text.
    """

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self._name = f"{Aws.STACK_NAME}-sandbox-life"
        self.arn = Stack.of(self).format_arn(
            service="states",
            resource="stateMachine",
            resource_name=self._name,
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )

    def run_by(self, task: lambda_.IFunction) -> None:
        body = json.dumps(sandbox_life.definition())
        machine = stepfunctions.StateMachine(
            self,
            "machine",
            state_machine_name=self._name,
            definition_body=stepfunctions.DefinitionBody.from_string(body),
            definition_substitutions={sandbox_life.FUNCTION: task.function_arn},
        )
        task.grant_invoke(machine)

    def grant_looking(self, grantee: iam.IGrantable) -> None:
        executions = Stack.of(self).format_arn(
            service="states",
            resource="execution",
            resource_name=f"{self._name}:*",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        iam.Grant.add_to_principal(
            grantee=grantee, actions=["states:DescribeExecution"], resource_arns=[executions]
        )

    def grant(self, grantee: iam.IGrantable, *actions: str) -> None:
        iam.Grant.add_to_principal(
            grantee=grantee,
            actions=[f"states:{action}" for action in actions],
            resource_arns=[self.arn],
        )
