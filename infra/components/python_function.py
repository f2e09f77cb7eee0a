"""One Lambda function for a folder under `functions/`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

RUNTIME = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE = lambda_.Architecture.X86_64


class PythonFunction(lambda_.Function):
    """Starts with no permission but to write its own log; `stack.py` grants the rest."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        code: Path,
        layers: Sequence[lambda_.ILayerVersion],
        environment: Mapping[str, str],
        seconds: int,
        memory_mb: int,
        physical_name: str | None = None,
    ) -> None:
        log = logs.LogGroup(
            scope,
            f"{name}_log",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        role = iam.Role(
            scope, f"{name}_role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com")
        )
        log.grant_write(role)
        super().__init__(
            scope,
            name,
            function_name=physical_name,
            code=lambda_.Code.from_asset(str(code)),
            handler=f"functions.{name}.handler.lambda_handler",
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            layers=list(layers),
            environment={"POWERTOOLS_SERVICE_NAME": name, **environment},
            timeout=Duration.seconds(seconds),
            memory_size=memory_mb,
            logging_format=lambda_.LoggingFormat.JSON,
            log_group=log,
            role=role,
        )
