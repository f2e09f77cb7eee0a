"""The two tables. Both outlive the stack: what users did is not the deployment's to delete."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from constructs import Construct


class Table(dynamodb.Table):
    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(
            scope,
            name,
            partition_key=_text("PK"),
            sort_key=_text("SK"),
            billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
            time_to_live_attribute="expires_at",
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            removal_policy=RemovalPolicy.RETAIN,
        )

    def grant_reads(self, grantee: iam.IGrantable) -> None:
        self.grant(grantee, "dynamodb:GetItem", "dynamodb:Query")

    def grant_reads_and_writes(self, grantee: iam.IGrantable) -> None:
        """Item by item: nobody scans, nobody touches the table itself."""
        self.grant_reads(grantee)
        self.grant(
            grantee,
            "dynamodb:BatchGetItem",
            "dynamodb:ConditionCheckItem",
            "dynamodb:PutItem",
            "dynamodb:UpdateItem",
            "dynamodb:DeleteItem",
        )


class SessionTable(Table):
    """A partition for each session; three indexes, all sparse."""

    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(scope, name)
        self.add_global_secondary_index(
            index_name="effects", partition_key=_text("due_shard"), sort_key=_text("due")
        )
        self.add_global_secondary_index(
            index_name="recent",
            partition_key=_text("list_shard"),
            sort_key=_text("list_key"),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            non_key_attributes=["status", "owner"],
        )
        self.add_global_secondary_index(
            index_name="alive",
            partition_key=_text("alive_shard"),
            sort_key=_text("alive_attempt"),
            projection_type=dynamodb.ProjectionType.KEYS_ONLY,
        )


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
