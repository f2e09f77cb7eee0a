"""Small CloudFormation templates: a function from its source text, and what can call it."""

import io
import zipfile
from collections.abc import Mapping
from textwrap import dedent
from typing import Any

from tests.local_aws import LocalAws

Resources = Mapping[str, Any]


def template(*parts: Resources, outputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
    resources = {name: resource for part in parts for name, resource in part.items()}
    named = {name: {"Value": value} for name, value in (outputs or {}).items()}
    return {"Resources": resources, "Outputs": named}


def ref(name: str) -> dict[str, str]:
    return {"Ref": name}


def arn(name: str) -> dict[str, list[str]]:
    return {"Fn::GetAtt": [name, "Arn"]}


def function(name: str, code: str, *, timeout: int = 29, **environment: Any) -> Resources:
    return {
        name: {
            "Type": "AWS::Lambda::Function",
            "Properties": {
                "Runtime": "python3.13",
                "Handler": "index.handler",
                "Code": {"ZipFile": dedent(code)},
                "Role": "arn:aws:iam::000000000000:role/test",
                "Timeout": timeout,
                "Environment": {"Variables": environment},
                "LoggingConfig": {"LogFormat": "JSON"},
            },
        }
    }


def create_function(host: LocalAws, name: str, code: str, *, timeout: int = 29) -> str:
    """By Lambda's own API, without a stack; the function's ARN."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("index.py", dedent(code))
    created = host.client("lambda").create_function(
        FunctionName=name,
        Runtime="python3.13",
        Handler="index.handler",
        Role="arn:aws:iam::000000000000:role/test",
        Code={"ZipFile": archive.getvalue()},
        Timeout=timeout,
    )
    return created["FunctionArn"]


def table(name: str) -> Resources:
    """PK and SK, and an index `by_kind` on `kind` and `rank`."""
    keys = ("PK", "SK", "kind", "rank")
    index = {
        "IndexName": "by_kind",
        "KeySchema": _schema("kind", "rank"),
        "Projection": {"ProjectionType": "ALL"},
    }
    return {
        name: {
            "Type": "AWS::DynamoDB::GlobalTable",
            "Properties": {
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [
                    {"AttributeName": key, "AttributeType": "S"} for key in keys
                ],
                "KeySchema": _schema("PK", "SK"),
                "GlobalSecondaryIndexes": [index],
                "TimeToLiveSpecification": {"AttributeName": "expires_at", "Enabled": True},
                "Replicas": [{"Region": "us-east-1"}],
            },
        }
    }


def _schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


def machine(name: str, definition: Mapping[str, Any], **substitutions: Any) -> Resources:
    """`${name}` in the definition stands for what is given for it."""
    return {
        name: {
            "Type": "AWS::StepFunctions::StateMachine",
            "Properties": {
                "RoleArn": "arn:aws:iam::000000000000:role/test",
                "Definition": definition,
                "DefinitionSubstitutions": substitutions,
            },
        }
    }


def http_api(name: str, target: str) -> Resources:
    return {
        name: {
            "Type": "AWS::ApiGatewayV2::Api",
            "Properties": {"Name": name, "ProtocolType": "HTTP"},
        },
        **_integration(name, target, version="2.0"),
        f"{name}Route": _route(name, "$default"),
        **_stage(name, "$default"),
    }


def http_route(api: str, key: str, target: str) -> Resources:
    """One more route of an HTTP API, to a function of its own."""
    made = _integration(api, target, version="2.0")
    (integration,) = made.values()
    name = f"{api}{target}"
    return {
        f"{name}Integration": integration,
        f"{name}Route": _route(api, key, integration=f"{name}Integration"),
    }


def socket_api(
    name: str, target: str, *, authorizer: str | None = None, identity: str = ""
) -> Resources:
    """Every route goes to the target; `$connect` asks the authorizer first, where there is one."""
    guard: dict[str, Any] = {
        "AuthorizationType": "CUSTOM",
        "AuthorizerId": ref(f"{name}Authorizer"),
    }
    return {
        name: {
            "Type": "AWS::ApiGatewayV2::Api",
            "Properties": {
                "Name": name,
                "ProtocolType": "WEBSOCKET",
                "RouteSelectionExpression": "$request.body.action",
            },
        },
        **_integration(name, target),
        f"{name}Connect": _route(name, "$connect", **(guard if authorizer else {})),
        f"{name}Disconnect": _route(name, "$disconnect"),
        f"{name}Default": _route(name, "$default"),
        **_stage(name, "live"),
        **(_authorizer(name, authorizer, identity) if authorizer else {}),
    }


def _integration(api: str, target: str, version: str = "1.0") -> Resources:
    return {
        f"{api}Integration": {
            "Type": "AWS::ApiGatewayV2::Integration",
            "Properties": {
                "ApiId": ref(api),
                "IntegrationType": "AWS_PROXY",
                "IntegrationUri": _invoked(target),
                "PayloadFormatVersion": version,
            },
        }
    }


def _route(api: str, key: str, *, integration: str = "", **options: Any) -> dict[str, Any]:
    return {
        "Type": "AWS::ApiGatewayV2::Route",
        "Properties": {
            "ApiId": ref(api),
            "RouteKey": key,
            "Target": {
                "Fn::Join": ["/", ["integrations", ref(integration or f"{api}Integration")]]
            },
            **options,
        },
    }


def _stage(api: str, name: str) -> Resources:
    return {
        f"{api}Stage": {
            "Type": "AWS::ApiGatewayV2::Stage",
            "Properties": {"ApiId": ref(api), "StageName": name, "AutoDeploy": True},
        }
    }


def _authorizer(api: str, function_name: str, identity: str) -> Resources:
    return {
        f"{api}Authorizer": {
            "Type": "AWS::ApiGatewayV2::Authorizer",
            "Properties": {
                "ApiId": ref(api),
                "Name": f"{api}Authorizer",
                "AuthorizerType": "REQUEST",
                "IdentitySource": [identity],
                "AuthorizerUri": _invoked(function_name),
            },
        }
    }


def _invoked(function_name: str) -> dict[str, str]:
    path = "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions"
    return {"Fn::Sub": f"{path}/${{{function_name}.Arn}}/invocations"}
