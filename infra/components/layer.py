"""A directory that `python -m layers` built, as a Lambda layer."""

from pathlib import Path

from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.components.python_function import ARCHITECTURE, RUNTIME


class Layer(lambda_.LayerVersion):
    def __init__(self, scope: Construct, name: str, directory: Path) -> None:
        super().__init__(
            scope,
            name,
            code=lambda_.Code.from_asset(str(directory)),
            compatible_runtimes=[RUNTIME],
            compatible_architectures=[ARCHITECTURE],
        )
