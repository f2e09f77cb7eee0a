r"""A small CDK app with every kind of resource that Outboard's stack is made of.

Synthesising takes the CDK half a minute on a busy machine, so what it makes is kept beside it:

    PYTHONPATH=. .venv/bin/python tests/infra/local/aws/assembly/app.py \
        tests/infra/local/aws/assembly/synthesised
"""

# pyright: reportArgumentType=false
# jsii's classes are not assignable to its own protocols.

import sys
from pathlib import Path

from aws_cdk import (
    App,
    CfnCondition,
    CfnOutput,
    CfnParameter,
    Duration,
    Fn,
    RemovalPolicy,
    Stack,
    Token,
)
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_apigatewayv2_authorizers as authorizers
from aws_cdk import aws_apigatewayv2_integrations as integrations
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from aws_cdk import aws_secretsmanager as secrets
from aws_cdk import aws_stepfunctions as states
from aws_cdk import aws_stepfunctions_tasks as tasks

_HERE = Path(__file__).parent


class ProbeStack(Stack):
    def __init__(self, app: App) -> None:
        super().__init__(app, "Probe")
        mode = CfnParameter(self, "Mode", default="local", allowed_values=["local", "cloud"])
        local = CfnCondition(self, "Local", expression=Fn.condition_equals(mode, "local"))
        self.mode = Token.as_string(Fn.condition_if(local.logical_id, "here", "there"))
        self.table = self._table()
        self.layer = lambda_.LayerVersion(
            self, "Layer", code=lambda_.Code.from_asset(str(_HERE / "layer"))
        )
        self.secret = secrets.Secret(self, "Secret")
        self.function = self._function("Function")
        self.table.grant_read_write_data(self.function)
        self.secret.grant_read(self.function)
        http = self._http()
        clients, bridges = self._sockets("Clients", "query"), self._sockets("Bridges", "header")
        self.function.add_environment("CALLBACK_URL", clients.callback_url)
        machine = self._machine()
        group = self._schedules()
        for name, value in {
            "HttpUrl": http.api_endpoint,
            "ClientsUrl": clients.url,
            "ClientsApiId": clients.api.api_id,
            "BridgesApiId": bridges.api.api_id,
            "HttpApiId": http.api_id,
            "TableName": self.table.table_name,
            "FunctionName": self.function.function_name,
            "MachineArn": machine.state_machine_arn,
            "SecretArn": self.secret.secret_arn,
            "GroupName": group.schedule_group_name,
            "ModeIs": self.mode,
        }.items():
            CfnOutput(self, name, value=value)

    def _table(self) -> dynamodb.TableV2:
        def string(name: str) -> dynamodb.Attribute:
            return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)

        table = dynamodb.TableV2(
            self,
            "Table",
            partition_key=string("PK"),
            sort_key=string("SK"),
            billing=dynamodb.Billing.on_demand(),
            time_to_live_attribute="expires_at",
            removal_policy=RemovalPolicy.DESTROY,
        )
        table.add_global_secondary_index(
            index_name="due",
            partition_key=string("due_partition"),
            sort_key=string("due_at"),
        )
        return table

    def _function(self, name: str) -> lambda_.Function:
        return lambda_.Function(
            self,
            name,
            runtime=lambda_.Runtime.PYTHON_3_13,
            handler="functions.probe.handler.lambda_handler",
            code=lambda_.Code.from_asset(
                str(_HERE), exclude=["app.py", "layer", "synthesised", "__pycache__"]
            ),
            layers=[self.layer],
            timeout=Duration.seconds(10),
            environment={"MODE": self.mode, "TABLE": self.table.table_name},
            logging_format=lambda_.LoggingFormat.JSON,
            log_group=logs.LogGroup(self, f"{name}Log", retention=logs.RetentionDays.ONE_MONTH),
        )

    def _http(self) -> apigateway.HttpApi:
        route = integrations.HttpLambdaIntegration("Http", self.function)
        return apigateway.HttpApi(self, "HttpApi", default_integration=route)

    def _sockets(self, name: str, source: str) -> apigateway.WebSocketStage:
        identity = {
            "query": "route.request.querystring.ticket",
            "header": "route.request.header.Authorization",
        }
        authorizer = authorizers.WebSocketLambdaAuthorizer(
            f"{name}Auth", self.function, identity_source=[identity[source]]
        )

        def route(kind: str, **options: object) -> apigateway.WebSocketRouteOptions:
            integration = integrations.WebSocketLambdaIntegration(f"{name}{kind}", self.function)
            return apigateway.WebSocketRouteOptions(integration=integration, **options)  # pyright: ignore[reportArgumentType]

        api = apigateway.WebSocketApi(
            self,
            f"{name}Api",
            connect_route_options=route("Connect", authorizer=authorizer),
            disconnect_route_options=route("Disconnect"),
            default_route_options=route("Default"),
        )
        api.grant_manage_connections(self.function)
        return apigateway.WebSocketStage(
            self, f"{name}Stage", web_socket_api=api, stage_name="live", auto_deploy=True
        )

    def _machine(self) -> states.StateMachine:
        wait = tasks.LambdaInvoke(
            self,
            "AwaitReady",
            lambda_function=self.function,
            integration_pattern=states.IntegrationPattern.WAIT_FOR_TASK_TOKEN,
            payload=states.TaskInput.from_object({"token": states.JsonPath.task_token}),
            task_timeout=states.Timeout.at("$.budget"),
            heartbeat_timeout=states.Timeout.duration(Duration.seconds(90)),
        )
        wait.add_catch(states.Succeed(self, "Failed"), errors=["States.ALL"])
        return states.StateMachine(
            self, "Machine", definition_body=states.DefinitionBody.from_chainable(wait)
        )

    def _schedules(self) -> scheduler.ScheduleGroup:
        group = scheduler.ScheduleGroup(self, "Group")
        scheduler.Schedule(
            self,
            "Sweep",
            schedule_group=group,
            schedule=scheduler.ScheduleExpression.rate(Duration.minutes(1)),
            target=targets.LambdaInvoke(self.function),
        )
        return group


if __name__ == "__main__":
    app = App(outdir=sys.argv[1])
    ProbeStack(app)
    app.synth()
