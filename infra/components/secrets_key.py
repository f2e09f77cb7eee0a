"""The key that people's secrets are sealed with. It outlives the stack, as they do."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

CONTEXT = "outboard:scope"
"""As the adapter names it: nothing is sealed or opened without saying of which scope it is."""


class SecretsKey(kms.Key):
    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(
            scope,
            name,
            description="Outboard: seals the secrets that sandboxes get",
            enable_key_rotation=True,
            removal_policy=RemovalPolicy.RETAIN,
        )

    def grant_sealing(self, grantee: iam.IGrantable) -> None:
        self._grant(grantee, "kms:GenerateDataKey", "kms:Decrypt")

    def grant_opening(self, grantee: iam.IGrantable) -> None:
        self._grant(grantee, "kms:Decrypt")

    def _grant(self, grantee: iam.IGrantable, *actions: str) -> None:
        iam.Grant.add_to_principal(
            grantee=grantee,
            actions=list(actions),
            resource_arns=[self.key_arn],
            conditions={
                "Null": {f"kms:EncryptionContext:{CONTEXT}": "false"},
                "ForAllValues:StringEquals": {"kms:EncryptionContextKeys": [CONTEXT]},
            },
        )
