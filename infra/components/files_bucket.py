"""The bucket of images, attached or handed in, and of changes; nothing in it is ever public."""

from collections.abc import Sequence

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

UPLOADS = "uploads/*"
"""What nobody has named yet: gone after a day."""

KEPT = "kept/*"
CHANGES = "changes/*"
"""What sessions have changed: only the newest comparison of each."""


class FilesBucket(s3.Bucket):
    def __init__(self, scope: Construct, name: str) -> None:
        super().__init__(
            scope,
            name,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            lifecycle_rules=[
                s3.LifecycleRule(
                    id="uploads", prefix=UPLOADS.removesuffix("*"), expiration=Duration.days(1)
                )
            ],
            removal_policy=RemovalPolicy.RETAIN,
        )

    def grant_objects(
        self,
        grantee: iam.IGrantable,
        *,
        read: Sequence[str],
        written: Sequence[str],
        deleted: Sequence[str] = (),
    ) -> None:
        """Under these keys, one by one: nobody lists, and nobody deletes what was given to us."""
        granted = {"s3:GetObject": read, "s3:PutObject": written, "s3:DeleteObject": deleted}
        for action, keys in granted.items():
            if not keys:
                continue
            iam.Grant.add_to_principal(
                grantee=grantee,
                actions=[action],
                resource_arns=[self.arn_for_objects(key) for key in keys],
            )
