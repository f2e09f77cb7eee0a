"""A WebSocket API: an authorizer at the handshake, one function for everything else."""

from aws_cdk import Aws
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_apigatewayv2_authorizers as authorizers
from aws_cdk import aws_apigatewayv2_integrations as integrations
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

STAGE = "live"

# What a client sends can't name a route: with the plain body path, {"type": "$disconnect"} would.
_ALWAYS_DEFAULT = "${request.body.type} is no route"


class SocketApi(apigateway.WebSocketApi):
    def __init__(self, scope: Construct, name: str, *, throttle: int) -> None:
        super().__init__(scope, name, route_selection_expression=_ALWAYS_DEFAULT)
        self.stage = apigateway.WebSocketStage(
            scope,
            f"{name}_stage",
            web_socket_api=self,
            stage_name=STAGE,
            auto_deploy=True,
            throttle=apigateway.ThrottleSettings(rate_limit=throttle, burst_limit=throttle),
        )

    @property
    def host(self) -> str:
        return f"{self.api_id}.execute-api.{Aws.REGION}.{Aws.URL_SUFFIX}"

    def serve(
        self, function: lambda_.IFunction, *, admitted_by: lambda_.IFunction, who: str
    ) -> None:
        """`who` is the part of the handshake that says who connects; without it nobody is asked."""
        for route in ("$connect", "$disconnect", "$default"):
            self.add_route(
                route,
                integration=integrations.WebSocketLambdaIntegration(f"{route}_to", function),
                authorizer=authorizers.WebSocketLambdaAuthorizer(
                    "authorizer", admitted_by, identity_source=[f"route.request.{who}"]
                )
                if route == "$connect"
                else None,
            )
